package io.tokenvault.server.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.environment.ProgramRun;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A small file system in memory that tests fill completely. Needs root. */
public final class SmallDisk implements AutoCloseable {

  private static final int BLOCK_BYTES = 4096;
  private static final Duration UNMOUNT_TIMEOUT = Duration.ofSeconds(10);

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts a file system that every user may write to; skips the test without that right. */
  public static SmallDisk mount(int mebibytes) {
    try {
      Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "vault-disk-");
      String options = "size=" + mebibytes + "m,mode=0777";
      ProgramRun mount =
          ProgramRun.of("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
      if (!mount.isSuccess()) {
        Files.delete(directory);
      }
      assumeTrue(
          mount.isSuccess(),
          "cannot mount a tmpfs: run the tests as root (in a container: --privileged)");
      return new SmallDisk(directory);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public Path directory() {
    return directory;
  }

  /** Uses up all free space. */
  public void fill() throws IOException {
    byte[] block = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(fillerFile())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(Files.size(fillerFile())).isPositive();
    }
  }

  /** Frees the space that {@link #fill} used. */
  public void freeSpace() throws IOException {
    Files.delete(fillerFile());
  }

  private Path fillerFile() {
    return directory.resolve("filler");
  }

  /** Unmounts the file system; retries, since a process that just ended may keep it busy. */
  @Override
  public void close() throws IOException {
    Eventually.holds(
        "the disk is unmounted",
        UNMOUNT_TIMEOUT,
        () -> ProgramRun.of("umount", directory.toString()).isSuccess());
    Files.delete(directory);
  }
}
