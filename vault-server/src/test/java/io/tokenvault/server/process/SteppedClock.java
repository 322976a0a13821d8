package io.tokenvault.server.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;

/**
 * A clock that processes take for the system's, and that is stepped while they run: a small library
 * that is compiled for the test and preloaded. What measures how long something takes does not
 * step, as on a real machine.
 */
final class SteppedClock {

  private static final String SOURCE = "/stepped-clock.c";

  private final Path library;
  private final Path offset;

  private SteppedClock(Path directory) {
    this.library = directory.resolve("stepped-clock.so");
    this.offset = directory.resolve("offset");
  }

  /** One that is right; skips the test where there is no C compiler for Linux. */
  static SteppedClock require() {
    try {
      SteppedClock clock = new SteppedClock(Files.createTempDirectory("vault-clock-"));
      clock.isOffBy(Duration.ZERO);
      assumeThat(clock.compile()).as("a C compiler, without which this is skipped").isTrue();
      // Any user's processes may have this clock.
      Files.setPosixFilePermissions(
          clock.offset.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
      return clock;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private boolean compile() throws IOException {
    Path source = library.resolveSibling("stepped-clock.c");
    try (InputStream text = SteppedClock.class.getResourceAsStream(SOURCE)) {
      Files.copy(text, source);
    }
    try {
      return new ProcessBuilder(
                  "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** With this environment a process has this clock. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "STEPPED_CLOCK", offset.toString());
  }

  /** Steps it, for all its processes and at once. */
  void isOffBy(Duration wanted) {
    ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    seconds.putLong(wanted.toSeconds()).flip();
    try (FileChannel file =
        FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(seconds);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
