package io.tokenvault.server.console;

import io.tokenvault.server.environment.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import okio.ByteString;

/** The source files of the console. */
final class ConsoleSources {

  static final Path FOLDER = Path.of("src", "console").toAbsolutePath();

  private static final Path PACKAGES = FOLDER.resolve("node_modules");

  private ConsoleSources() {}

  /** Returns the relative paths of all files except installed packages, in character order. */
  static List<Path> files() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files
          .filter(file -> !file.startsWith(PACKAGES) && Files.isRegularFile(file))
          .map(FOLDER::relativize)
          .sorted((one, other) -> name(one).compareTo(name(other)))
          .toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns the hash that build.mjs computes and writes into the built files. */
  static String hash() {
    StringBuilder all = new StringBuilder();
    for (Path file : files()) {
      String own = ByteString.of(content(FOLDER.resolve(file))).sha256().hex();
      all.append(name(file)).append('\n').append(own).append('\n');
    }
    return ByteString.encodeUtf8(all.toString()).sha256().hex();
  }

  static byte[] content(Path file) {
    return Unchecked.get(() -> Files.readAllBytes(file));
  }

  private static String name(Path file) {
    return file.toString().replace('\\', '/');
  }
}
