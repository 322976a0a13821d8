package io.tokenvault.engine.transform.isolation;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

/**
 * Program that checks from the inside whether a process is isolated as its level promises.
 *
 * <p>It reports by its exit code and runs only in a process of its own.
 */
final class IsolationCheck {

  /** The exit code for a kept promise; no error of the operating system uses it. */
  static final int KEPT = 42;

  private static final int BROKEN = 43;

  private IsolationCheck() {}

  /**
   * Checks the promise of a level.
   *
   * @param arguments the level, the id of the server's process, a port on which the server listens,
   *     and the expected names in the root directory of {@code OWN_ROOT}
   */
  public static void main(String[] arguments) throws IOException {
    IsolationLevel level = IsolationLevel.valueOf(arguments[0]);
    Path server = Path.of("/proc", arguments[1]);
    int port = Integer.parseInt(arguments[2]);
    Set<String> names = Set.of(Arrays.copyOfRange(arguments, 3, arguments.length));
    System.exit(isKept(level, server, port, names) ? KEPT : BROKEN);
  }

  private static boolean isKept(IsolationLevel level, Path server, int port, Set<String> names)
      throws IOException {
    return switch (level) {
      case OWN_ROOT -> isCutOff(port) && hasNoPrivileges() && isAlone() && sees(names);
      case OTHER_USER_NO_NETWORK -> isCutOff(port) && hasNoPrivileges() && isAlone();
      case OTHER_USER -> hasNoPrivileges() && !Files.isReadable(server.resolve("environ"));
      case NONE -> true;
    };
  }

  /** Returns whether the root directory has exactly the expected names. */
  private static boolean sees(Set<String> names) {
    String[] seen = new File("/").list();
    return seen != null && names.equals(Set.of(seen));
  }

  /** Returns whether no other process is visible, which is also true without {@code /proc}. */
  private static boolean isAlone() {
    String[] processes = new File("/proc").list((folder, name) -> name.matches("[0-9]+"));
    return processes != null && processes.length <= 1;
  }

  /** Returns whether a connection to the server's port fails. */
  private static boolean isCutOff(int server) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Returns whether the process has no capabilities, neither effective ones nor ones that it could
   * gain.
   */
  private static boolean hasNoPrivileges() throws IOException {
    Path status = Path.of("/proc/self/status");
    return !Files.exists(status)
        || Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("CapEff:") || line.startsWith("CapBnd:"))
            .allMatch(line -> line.matches("Cap...:\\s*0+"));
  }
}
