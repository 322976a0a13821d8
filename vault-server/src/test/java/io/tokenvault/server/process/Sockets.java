package io.tokenvault.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which process is at the end of a connection, as Linux tells it. */
final class Sockets {

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
  private static final int LOCAL_ADDRESS = 1;
  private static final int INODE = 9;

  private Sockets() {}

  static boolean canBeSeen() {
    return TABLES.stream().allMatch(Files::isReadable);
  }

  /** Whether the process has a connection from this port of its own. */
  static boolean areHeldBy(long pid, int port) {
    Set<String> sockets = sockets(port);
    try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return open.anyMatch(file -> sockets.contains(target(file)));
    } catch (IOException gone) {
      return false;
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closed) {
      return "";
    }
  }

  private static Set<String> sockets(int port) {
    String end = String.format(Locale.ROOT, ":%04X", port);
    return TABLES.stream()
        .flatMap(Sockets::rows)
        .map(row -> row.strip().split("\\s+"))
        .filter(row -> row[LOCAL_ADDRESS].endsWith(end))
        .map(row -> "socket:[" + row[INODE] + "]")
        .collect(Collectors.toSet());
  }

  private static Stream<String> rows(Path table) {
    try {
      return Files.readAllLines(table).stream().skip(1);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
