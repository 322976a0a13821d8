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
 * The program of a trial: looks from inside whether the promise of a level is kept, and says so by
 * its exit code. Runs in a process of its own only.
 */
final class IsolationCheck {

  /** The exit code if all that is promised holds; no error of the system's has it. */
  static final int KEPT = 42;

  private static final int BROKEN = 43;

  private IsolationCheck() {}

  /**
   * @param arguments the level, the server's process, a port that the server listens to, and the
   *     names in a root of the worker's own
   */
  public static void main(String[] arguments) throws IOException {
    IsolationLevel level = IsolationLevel.valueOf(arguments[0]);
    Path server = Path.of("/proc", arguments[1]);
    int port = Integer.parseInt(arguments[2]);
    Set<String> names = Set.of(Arrays.copyOfRange(arguments, 3, arguments.length));
    boolean cutOff = !level.isWithoutNetwork() || isCutOff(port);
    System.exit(cutOff && isKept(level, server, names) ? KEPT : BROKEN);
  }

  private static boolean isKept(IsolationLevel level, Path server, Set<String> names)
      throws IOException {
    switch (level) {
      case OWN_ROOT:
        return hasNoPrivileges() && isAlone() && sees(names);
      case OTHER_USER_NO_NETWORK:
        return hasNoPrivileges() && isAlone();
      case OTHER_USER:
        return hasNoPrivileges() && !Files.isReadable(server.resolve("environ"));
      default:
        return true;
    }
  }

  private static boolean sees(Set<String> names) {
    String[] seen = new File("/").list();
    return seen != null && names.equals(Set.of(seen));
  }

  /** Without a view of processes, none is seen. */
  private static boolean isAlone() {
    String[] processes = new File("/proc").list((folder, name) -> name.matches("[0-9]+"));
    return processes != null && processes.length <= 1;
  }

  private static boolean isCutOff(int server) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean hasNoPrivileges() throws IOException {
    Path status = Path.of("/proc/self/status");
    return !Files.exists(status)
        || Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("CapEff:") || line.startsWith("CapBnd:"))
            .allMatch(line -> line.matches("Cap...:\\s*0+"));
  }
}
