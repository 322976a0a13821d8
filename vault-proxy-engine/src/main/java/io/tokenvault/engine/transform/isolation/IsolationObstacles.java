package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the reasons why workers cannot be isolated on this system and the permissions that an
 * operator can grant.
 */
public final class IsolationObstacles {

  private static final Path PROC = Path.of("/proc");

  /** The line in a process status that indicates a seccomp filter. */
  private static final String FILTERED = "Seccomp:\t2";

  private final Path proc;
  private final List<String> found = new ArrayList<>();

  IsolationObstacles(Path proc) {
    this.proc = proc;
  }

  /**
   * Returns the obstacles on this system, one line each with its remedy; the last line is the
   * remedy if no other helps.
   */
  public static List<String> found() {
    return new IsolationObstacles(PROC).find(WorkerIsolation.hasTools());
  }

  /**
   * Returns the obstacles.
   *
   * @param hasTools whether the programs that isolate are installed
   */
  List<String> find(boolean hasTools) {
    if (!hasTools) {
      found.add("unshare and setpriv are not in /usr/bin: install util-linux");
    }
    setTo("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1");
    setTo("user/max_user_namespaces", "0", "user.max_user_namespaces=10000");
    setTo(
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile that allows"
            + " userns");
    if (read("self/status").filter(status -> status.contains(FILTERED)).isPresent()) {
      found.add(
          "a seccomp filter is in force: allow unshare, clone with new namespaces, mount and"
              + " chroot, which container engines deny without CAP_SYS_ADMIN and CAP_SYS_CHROOT");
    }
    read("self/attr/current")
        .map(profile -> profile.replace("\0", "").strip())
        .filter(profile -> !profile.isEmpty() && !profile.startsWith("unconfined"))
        .ifPresent(
            profile -> found.add("a security profile (" + profile + ") is in force: allow mount"));
    found.add(
        "without namespaces: run the server as root with CAP_SETUID and CAP_SETGID, which runs"
            + " each worker as another user");
    return List.copyOf(found);
  }

  /**
   * Adds an obstacle if a kernel setting has the given value.
   *
   * @param wanted the setting to recommend
   */
  private void setTo(String setting, String forbidden, String wanted) {
    if (read("sys/" + setting).map(String::strip).filter(forbidden::equals).isPresent()) {
      found.add("user namespaces are forbidden: sysctl " + wanted);
    }
  }

  /** Reads a file of {@code /proc}; empty if there is none or it is not readable. */
  private Optional<String> read(String file) {
    try {
      return Optional.of(
          new String(Files.readAllBytes(proc.resolve(file)), StandardCharsets.ISO_8859_1));
    } catch (IOException notThere) {
      return Optional.empty();
    }
  }
}
