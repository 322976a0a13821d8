package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * How worker processes are shut in on this system. Found out by trying: a level is in force only if
 * a process that was started in it found its promise kept.
 */
public final class WorkerIsolation {

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Path UNSHARE = Path.of("/usr/bin/unshare");
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
  private static final List<String> LIMITS = List.of("--core=0", "--nofile=256", "--fsize=0");
  private static final List<String> NAMESPACES =
      List.of("--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child");
  private static final List<String> NO_PRIVILEGES =
      List.of("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--pdeathsig", "KILL");

  private final IsolationLevel level;
  private final Optional<WorkerUsers> users;
  private final AtomicInteger workers = new AtomicInteger();

  private WorkerIsolation(IsolationLevel level, Optional<WorkerUsers> users) {
    this.level = level;
    this.users = users;
  }

  /** The best level that works here for this program. */
  public static WorkerIsolation find(WorkerProgram program) {
    return Stream.of(IsolationLevel.values())
        .flatMap(level -> at(level, program).stream())
        .findFirst()
        .orElseGet(() -> new WorkerIsolation(IsolationLevel.NONE, Optional.empty()));
  }

  /** A certain level, if it works here for this program. */
  public static Optional<WorkerIsolation> at(IsolationLevel level, WorkerProgram program) {
    return candidates(level)
        .filter(candidate -> ConfinementTrial.passes(candidate, program))
        .findFirst();
  }

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

  /** Whether the programs that isolate are there. */
  static boolean hasTools() {
    return Files.isExecutable(SETPRIV) && Files.isExecutable(UNSHARE);
  }

  /** The level in force. */
  public IsolationLevel level() {
    return level;
  }

  /**
   * The command that starts a program shut in; the next worker's, since each may be another user.
   *
   * @param program what is to be seen by it
   * @param command what it runs
   */
  public List<String> command(WorkerProgram program, List<String> command) {
    Optional<Integer> user = users.map(range -> range.user(workers.getAndIncrement()));
    List<String> all = new ArrayList<>(limits(user.isPresent()));
    switch (level) {
      case OWN_ROOT:
        all.addAll(namespaces(user.isEmpty()));
        all.addAll(ownRoot(program));
        all.addAll(withoutPrivileges(user));
        break;
      case OTHER_USER_NO_NETWORK:
        all.addAll(namespaces(false));
        all.add("--mount-proc");
        all.addAll(withoutPrivileges(user));
        break;
      case OTHER_USER:
        all.addAll(withoutPrivileges(user));
        break;
      case NONE:
        all.addAll(Files.isExecutable(SETPRIV) ? endingWithItsParent() : List.of());
        break;
    }
    all.addAll(command);
    return all;
  }

  /**
   * The number of processes is counted over all of a user's, and so bounded for users of their own
   * only.
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

  private static List<String> namespaces(boolean ownUsers) {
    List<String> command = new ArrayList<>(endingWithItsParent());
    command.add(UNSHARE.toString());
    if (ownUsers) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    command.addAll(NAMESPACES);
    return command;
  }

  private static List<String> endingWithItsParent() {
    return List.of(SETPRIV.toString(), "--pdeathsig", "KILL");
  }

  private static List<String> ownRoot(WorkerProgram program) {
    try {
      List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WorkerRoot.script(), "sh"));
      command.addAll(root(program).arguments());
      command.add("--");
      return command;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static WorkerRoot root(WorkerProgram program) throws IOException {
    return WorkerRoot.of(program, List.of(SETPRIV));
  }

  private static List<String> withoutPrivileges(Optional<Integer> user) {
    List<String> command = new ArrayList<>(List.of(SETPRIV.toString()));
    user.ifPresent(
        id -> command.addAll(List.of("--reuid=" + id, "--regid=" + id, "--clear-groups")));
    command.addAll(NO_PRIVILEGES);
    return command;
  }

  /** Starts a process that is shut in and lets it try what it must not be able to do. */
  private static final class ConfinementTrial {

    private static final int LIMIT_SECONDS = 20;
    private static final List<String> FLAGS =
        List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private ConfinementTrial() {}

    static boolean passes(WorkerIsolation confinement, WorkerProgram program) {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Process trial = start(confinement, program, server.getLocalPort());
        try {
          return trial.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)
              && trial.exitValue() == IsolationCheck.KEPT;
        } finally {
          PipedProcess.innermost(trial).destroyForcibly();
        }
      } catch (IOException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private static Process start(WorkerIsolation confinement, WorkerProgram program, int port)
        throws IOException {
      List<String> arguments = new ArrayList<>();
      arguments.add(confinement.level().name());
      arguments.add(Long.toString(ProcessHandle.current().pid()));
      arguments.add(Integer.toString(port));
      if (confinement.level() == IsolationLevel.OWN_ROOT) {
        arguments.addAll(WorkerIsolation.root(program).names());
      }
      String check = IsolationCheck.class.getName();
      return PipedProcess.start(
          confinement.command(program, program.command(FLAGS, check, arguments)));
    }
  }
}
