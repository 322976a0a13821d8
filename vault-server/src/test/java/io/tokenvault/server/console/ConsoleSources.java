package io.tokenvault.server.console;

import io.tokenvault.server.place.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The folder that the console is built from. */
final class ConsoleSources {

  static final Path FOLDER = Path.of("src", "console").toAbsolutePath();

  private static final Path PACKAGES = FOLDER.resolve("node_modules");

  private ConsoleSources() {}

  /** Relative paths of all files but the packages of others, in the order of their characters. */
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

  /** As build.mjs makes it, which writes it into what it builds. */
  static String hash() {
    MessageDigest all = sha256();
    for (Path file : files()) {
      String own = HexFormat.of().formatHex(sha256().digest(content(FOLDER.resolve(file))));
      all.update((name(file) + "\n" + own + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(all.digest());
  }

  static byte[] content(Path file) {
    return Unchecked.get(() -> Files.readAllBytes(file));
  }

  private static String name(Path file) {
    return file.toString().replace('\\', '/');
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
