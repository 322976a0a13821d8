package io.tokenvault.engine.transform.isolation;

import io.tokenvault.engine.worker.compile.ScriptResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Isolation of worker processes by the operating system.
 *
 * <p>The level is found by trying: it is in force only if a process that was started at this level
 * has checked from the inside that its promise is kept. Thread-safe.
 *
 * <pre>{@code
 * WorkerIsolation isolation = WorkerIsolation.find(program);
 * log.info(isolation.level().promise());
 * }</pre>
 */
public final class WorkerIsolation {

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Path UNSHARE = Path.of("/usr/bin/unshare");
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

  /** Limits for every worker: no core dumps, few open files, no written files. */
  private static final List<String> LIMITS = List.of("--core=0", "--nofile=256", "--fsize=0");

  private static final List<String> NAMESPACES =
      List.of("--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child");
  private static final List<String> NO_PRIVILEGES =
      List.of("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--pdeathsig", "KILL");

  private static final int TRIAL_SECONDS = 20;
  private static final List<String> TRIAL_FLAGS =
      List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

  /**
   * The isolation of this JVM's programs that have a separate root. Several vaults in one JVM try
   * it once, and no two of their workers share a user.
   */
  private static final Map<WorkerProgram, WorkerIsolation> FOUND = new ConcurrentHashMap<>();

  private final IsolationLevel level;

  /** The users to run as; empty if the server may not choose them. */
  private final Optional<WorkerUsers> users;

  /** The number of workers that were given a user so far. */
  private final AtomicInteger workers = new AtomicInteger();

  private WorkerIsolation(IsolationLevel level, Optional<WorkerUsers> users) {
    this.level = level;
    this.users = users;
  }

  /**
   * Returns the strongest isolation that works on this system. It starts a process for each variant
   * that it tries and waits up to 20 seconds for its end. It does so again for a program only if
   * the strongest level did not work.
   */
  public static WorkerIsolation find(WorkerProgram program) {
    WorkerIsolation known = FOUND.get(program);
    if (known != null) {
      return known;
    }
    WorkerIsolation found = strongest(program);
    WorkerIsolation earlier =
        found.level == IsolationLevel.OWN_ROOT ? FOUND.putIfAbsent(program, found) : null;
    return earlier == null ? found : earlier;
  }

  private static WorkerIsolation strongest(WorkerProgram program) {
    return Stream.of(IsolationLevel.values())
        .flatMap(level -> at(level, program).stream())
        .findFirst()
        .orElseGet(() -> new WorkerIsolation(IsolationLevel.NONE, Optional.empty()));
  }

  /** Returns the isolation at a given level; empty if it does not work on this system. */
  public static Optional<WorkerIsolation> at(IsolationLevel level, WorkerProgram program) {
    return candidates(level).filter(candidate -> candidate.isKept(program)).findFirst();
  }

  /** Returns the variants of a level to try, which differ in the range of users. */
  private static Stream<WorkerIsolation> candidates(IsolationLevel level) {
    if (level == IsolationLevel.NONE) {
      return Stream.of(new WorkerIsolation(level, Optional.empty()));
    }
    if (!hasTools()) {
      return Stream.empty();
    }
    if (WorkerUsers.mayBeChosen()) {
      return WorkerUsers.ranges().map(users -> new WorkerIsolation(level, Optional.of(users)));
    }
    return level == IsolationLevel.OWN_ROOT
        ? Stream.of(new WorkerIsolation(level, Optional.empty()))
        : Stream.empty();
  }

  /** Returns whether the programs that isolate are installed. */
  static boolean hasTools() {
    return Files.isExecutable(SETPRIV) && Files.isExecutable(UNSHARE);
  }

  public IsolationLevel level() {
    return level;
  }

  /**
   * Returns the command that starts an isolated process. Each call is for one process, since each
   * may run as another user.
   *
   * @param program the program whose files the process may see
   */
  public List<String> command(WorkerProgram program, List<String> command) {
    Optional<Integer> user = users.map(range -> range.user(workers.getAndIncrement()));
    List<String> all = new ArrayList<>(limits(user.isPresent()));
    switch (level) {
      case OWN_ROOT -> {
        all.addAll(namespaces(user.isEmpty()));
        all.addAll(ownRoot(program));
        all.addAll(withoutPrivileges(user));
      }
      case OTHER_USER_NO_NETWORK -> {
        all.addAll(namespaces(false));
        all.add("--mount-proc");
        all.addAll(withoutPrivileges(user));
      }
      case OTHER_USER -> all.addAll(withoutPrivileges(user));
      case NONE -> all.addAll(Files.isExecutable(SETPRIV) ? endingWithItsParent() : List.of());
    }
    all.addAll(command);
    return all;
  }

  /**
   * Returns the command that sets resource limits. The number of processes is counted for a user as
   * a whole, so it is limited only for users that belong to workers.
   */
  private static List<String> limits(boolean otherUser) {
    if (!Files.isExecutable(PRLIMIT)) {
      return List.of();
    }
    List<String> limits = new ArrayList<>(List.of(PRLIMIT.toString()));
    limits.addAll(LIMITS);
    if (otherUser) {
      limits.add("--nproc=256");
    }
    return limits;
  }

  /**
   * Returns the command that starts namespaces.
   *
   * @param ownUsers whether to map the current user to root in a user namespace, which needs no
   *     privileges
   */
  private static List<String> namespaces(boolean ownUsers) {
    List<String> command = new ArrayList<>(endingWithItsParent());
    command.add(UNSHARE.toString());
    if (ownUsers) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    command.addAll(NAMESPACES);
    return command;
  }

  /** Returns the command that lets a process end with its parent. */
  private static List<String> endingWithItsParent() {
    return List.of(SETPRIV.toString(), "--pdeathsig", "KILL");
  }

  /** Returns the command that builds and enters the root directory. */
  private static List<String> ownRoot(WorkerProgram program) {
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  "/bin/sh", "-c", ScriptResources.text(WorkerRoot.class, "own-root.sh"), "sh"));
      command.add(program.javaHome().resolve("lib").toString());
      command.addAll(root(program).arguments());
      command.add("--");
      return command;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static WorkerRoot root(WorkerProgram program) throws IOException {
    return WorkerRoot.of(program, List.of(SETPRIV));
  }

  /** Returns the command that drops all capabilities and, if a user is given, switches to it. */
  private static List<String> withoutPrivileges(Optional<Integer> user) {
    List<String> command = new ArrayList<>(List.of(SETPRIV.toString()));
    user.ifPresent(
        id -> command.addAll(List.of("--reuid=" + id, "--regid=" + id, "--clear-groups")));
    command.addAll(NO_PRIVILEGES);
    return command;
  }

  /**
   * Returns whether the promise of the level is kept: an isolated process attempts what the level
   * forbids, and reports it.
   */
  private boolean isKept(WorkerProgram program) {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Process trial = startTrial(program, server.getLocalPort());
      try {
        return trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)
            && trial.exitValue() == IsolationCheck.KEPT;
      } finally {
        WorkerProgram.innermost(trial).destroyForcibly();
      }
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Process startTrial(WorkerProgram program, int port) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(level.name());
    arguments.add(Long.toString(ProcessHandle.current().pid()));
    arguments.add(Integer.toString(port));
    if (level == IsolationLevel.OWN_ROOT) {
      arguments.addAll(root(program).names());
    }
    String check = IsolationCheck.class.getName();
    return WorkerProgram.start(command(program, program.command(TRIAL_FLAGS, check, arguments)));
  }

  /**
   * Range of user ids for workers, if the server may choose them.
   *
   * <p>The ids belong to no other user. Consecutive workers run as different users, so that they
   * cannot access each other.
   */
  record WorkerUsers(int first, int count) {

    /** Above all ids that operating systems and containers assign. */
    private static final WorkerUsers HIGH = new WorkerUsers(1_900_000_000, 1_000_000);

    /** For containers with 65536 users; by convention these ids are not assigned. */
    private static final WorkerUsers LOW = new WorkerUsers(65_520, 14);

    /** Returns the ranges to try, in this order. */
    static Stream<WorkerUsers> ranges() {
      return Stream.of(HIGH, LOW);
    }

    /** Returns whether this process is root as far as the operating system reports. */
    static boolean mayBeChosen() {
      try {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
      } catch (IOException | UnsupportedOperationException e) {
        return false;
      }
    }

    /**
     * Returns the user id of a worker.
     *
     * @param worker a sequence number, which may overflow
     */
    int user(int worker) {
      return first + Math.floorMod(worker, count);
    }
  }
}
