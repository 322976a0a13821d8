package io.tokenvault.engine.transform;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Attempts, from inside a worker, everything that isolation must prevent. */
final class IsolationProbe {

  private IsolationProbe() {}

  /**
   * Returns the names of the attempts that succeeded.
   *
   * @param targets lines with a secret file, a folder that all users may write to, the process id
   *     of the server and an open loopback port
   */
  static String successfulAttempts(String targets) {
    String[] target = targets.split("\n");
    Set<String> names = new TreeSet<>();
    attempt(names, "file read", () -> Files.readAllBytes(Path.of(target[0])));
    attempt(names, "file written", () -> Files.createFile(Path.of(target[1], "planted")));
    attempt(names, "environment read", () -> Files.readAllBytes(procFile(target[2], "environ")));
    attempt(names, "memory opened", () -> Files.newByteChannel(procFile(target[2], "mem")).close());
    attempt(names, "open files seen", () -> seeOpenFiles(target[2]));
    attempt(names, "connected", () -> connect(Integer.parseInt(target[3])));
    attempt(names, "processes seen", IsolationProbe::seeProcesses);
    attempt(names, "privileges", IsolationProbe::findPrivileges);
    attempt(names, "accounts read", () -> Files.readAllBytes(Path.of("/etc/passwd")));
    attempt(names, "process started", () -> new ProcessBuilder("/bin/true").start().waitFor());
    attempt(names, "environment given", IsolationProbe::findEnvironment);
    attempt(names, "root user", () -> failUnless(uid().equals("0")));
    return String.join(",", names);
  }

  private interface Attempt {
    void run() throws Exception;
  }

  private static void attempt(Set<String> names, String name, Attempt attempt) {
    try {
      attempt.run();
      names.add(name);
    } catch (Exception e) {
      // The attempt failed.
    }
  }

  private static Path procFile(String pid, String file) {
    return Path.of("/proc", pid, file);
  }

  private static void connect(int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2000);
    }
  }

  private static void seeProcesses() throws IOException {
    String[] processes = new File("/proc").list((folder, name) -> name.matches("[0-9]+"));
    failUnless(processes != null && processes.length > 1);
  }

  private static void seeOpenFiles(String pid) throws IOException {
    failUnless(procFile(pid, "fd").toFile().list() != null);
  }

  private static void findPrivileges() throws IOException {
    failUnless(
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .anyMatch(line -> line.matches("(CapEff|CapBnd):.*[1-9a-f].*|NoNewPrivs:\\s*0")));
  }

  /** Fails if only those variables are set that some shells set themselves. */
  private static void findEnvironment() throws IOException {
    failUnless(
        !Set.of("LC_ALL", "LD_LIBRARY_PATH", "PWD", "SHLVL", "_")
            .containsAll(System.getenv().keySet()));
  }

  private static String uid() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
  }

  private static void failUnless(boolean found) throws IOException {
    if (!found) {
      throw new IOException("the attempt failed");
    }
  }
}
