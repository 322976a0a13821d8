package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.place.Fork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** Data directories, below the module's own target folder. */
final class Directories {

  private static final Path TOP = Path.of("target", "process", Fork.NAME).toAbsolutePath();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Directories::removeAll, "removal"));
  }

  private Directories() {}

  /** Each takes some 100 MB. */
  private static void removeAll() {
    try (Stream<Path> all = Files.walk(TOP)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException busy) {
      throw new UncheckedIOException(busy);
    }
  }

  /** One that nobody has used; it does not exist yet. */
  static Path fresh() {
    try {
      Files.createDirectories(TOP);
      return Files.createTempDirectory(TOP, "vault-").resolve("data");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A copy of one on which {@code tenant create} was the first command, and no server ran yet. */
  static Path used() {
    Path copy = fresh();
    try {
      Process cp =
          new ProcessBuilder("cp", "-a", Template.DIRECTORY.toString(), copy.toString()).start();
      assertThat(cp.waitFor()).isZero();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
    return copy;
  }

  /** What {@code tenant create} printed: the tenant and key of each {@link #used} directory. */
  static JsonNode tenant() {
    return Http.json(Template.CREATED.out());
  }

  static Map<String, String> settings(Path dataDirectory) {
    return Map.of("VAULT_DATA_DIR", dataDirectory.toString());
  }

  static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static final class Template {
    static final Path DIRECTORY = fresh();
    static final CommandRun CREATED =
        CommandRun.run(settings(DIRECTORY), "tenant", "create", "--name", "Template \"ü\"")
            .expectExit(0);
  }
}
