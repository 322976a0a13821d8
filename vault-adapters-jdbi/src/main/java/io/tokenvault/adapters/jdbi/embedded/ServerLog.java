package io.tokenvault.adapters.jdbi.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** PostgreSQL's own log: this run's and the one before it. */
final class ServerLog {

  private static final int LINES_TO_QUOTE = 5;
  private static final long BYTES_TO_QUOTE_FROM = 100_000;

  private final Path file;

  private ServerLog(Path file) {
    this.file = file;
  }

  static ServerLog startNew(DataDirectory directory) throws IOException {
    Path file = directory.log();
    if (Files.exists(file)) {
      Path previous = file.resolveSibling(file.getFileName() + ".1");
      Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.createFile(file, PosixFilePermissions.asFileAttribute(DataDirectory.PRIVATE_FILE));
    directory.hand(file);
    return new ServerLog(file);
  }

  /** For a server that is started again in the same run. */
  static ServerLog goOn(DataDirectory directory) throws IOException {
    return Files.exists(directory.log()) ? new ServerLog(directory.log()) : startNew(directory);
  }

  File file() {
    return file.toFile();
  }

  boolean saysThatPortIsTaken() throws IOException {
    return text().contains("could not create any TCP/IP sockets");
  }

  String lastLines() throws IOException {
    if (Files.size(file) > BYTES_TO_QUOTE_FROM) {
      return "see " + file;
    }
    List<String> lines = text().lines().toList();
    int first = Math.max(0, lines.size() - LINES_TO_QUOTE);
    return String.join(System.lineSeparator(), lines.subList(first, lines.size()));
  }

  private String text() throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
