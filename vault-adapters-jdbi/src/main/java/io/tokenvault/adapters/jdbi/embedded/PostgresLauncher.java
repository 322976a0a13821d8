package io.tokenvault.adapters.jdbi.embedded;

import io.tokenvault.adapters.jdbi.embedded.DataDirectory.FileOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts PostgreSQL's programs for a data directory: as a user that they accept, without secrets in
 * the environment, and such that they end with this JVM even if that is killed.
 */
final class PostgresLauncher {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresLauncher.class);

  /** Runs a program in a user namespace in which the user has no mapping, and so is not root. */
  private static final List<String> UNMAPPED = List.of("unshare", "-U");

  /**
   * Starts a session, so that Ctrl-C does not stop PostgreSQL before the server has finished its
   * requests.
   */
  private static final List<String> SESSION_OF_ITS_OWN = List.of("setsid");

  /**
   * Runs a program beside a shell that waits for the end of a pipe. Only this JVM writes to the
   * pipe, so the shell interrupts the program when the JVM ends.
   */
  private static final List<String> GUARD =
      List.of(
          "sh",
          "-c",
          """
          exec 3<&0
          ( ( read -r _ <&3 || kill -INT $$ && kill -CONT $$ ) >/dev/null 2>&1 & )
          exec "$@" </dev/null 3<&-
          """,
          "sh");

  /**
   * Checks that the user has a name, may write to the data directory and can run the server
   * program.
   */
  private static final String TRIAL =
      """
      id -un >/dev/null || exit 1
      test -w "$1" || { echo "user $(id -u) cannot write to $1"; exit 1; }
      exec "$2" --version
      """;

  private final Identity identity;
  private final List<String> prefix;
  private final DataDirectory directory;

  private PostgresLauncher(Identity identity, List<String> session, DataDirectory directory) {
    this.identity = identity;
    this.prefix = new ArrayList<>(identity.prefix());
    this.prefix.addAll(session);
    this.prefix.addAll(GUARD);
    this.directory = directory;
  }

  /**
   * Tries the possible users in turn. Afterwards the data directory belongs to the chosen one.
   *
   * @throws EmbeddedPostgresException if no user works; the message lists the reasons
   */
  static PostgresLauncher choose(DataDirectory directory, PostgresBinaries binaries)
      throws IOException {
    FileOwner before = directory.owner();
    FileOwner me = FileOwner.ofThisProcess();
    List<String> session = works(SESSION_OF_ITS_OWN) ? SESSION_OF_ITS_OWN : List.of();
    List<String> problems = new ArrayList<>();
    for (Identity identity : Identity.candidates(me, before)) {
      PostgresLauncher launcher = new PostgresLauncher(identity, session, directory);
      String problem = launcher.tryOut(binaries, before);
      if (problem.isEmpty()) {
        return launcher;
      }
      problems.add(identity + ": " + problem);
    }
    throw refusal(me, directory, problems);
  }

  /** Returns whether this machine can run a command that starts with the prefix. */
  private static boolean works(List<String> prefix) {
    try {
      List<String> command = new ArrayList<>(prefix);
      command.add("true");
      return run(program(command)).exit() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the user that the programs' files belong to. */
  FileOwner user() {
    return identity.files();
  }

  /** Returns a process that runs one of PostgreSQL's programs, not started yet. */
  ProcessBuilder guarded(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return program(all).directory(directory.path().toFile());
  }

  /** Runs a program to its end, and returns its exit code and output. */
  static Outcome run(ProcessBuilder program) throws IOException {
    Process process = program.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return new Outcome(process.waitFor(), output.strip());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("Interrupted while waiting for PostgreSQL", e);
    }
  }

  /**
   * Sends one signal after the other to a server until it ends.
   *
   * @param isRunning returns whether the server still runs
   * @return whether it has ended
   */
  static boolean stop(long pid, BooleanSupplier isRunning) {
    for (Signal signal : Signal.values()) {
      if (!isRunning.getAsBoolean()) {
        return true;
      }
      send(signal, pid);
      Deadline deadline = Deadline.in(signal.timeout);
      while (isRunning.getAsBoolean() && !deadline.passed()) {
        deadline.pause();
      }
      if (deadline.passed()) {
        LOG.warn(
            "PostgreSQL, process {}, did not end within {} s of SIG{}",
            pid,
            signal.timeout.toSeconds(),
            signal);
      }
    }
    return !isRunning.getAsBoolean();
  }

  /**
   * Sends a signal, and continues the process, since a suspended one does not react to signals. The
   * shell's {@code kill} is used, since the JDK cannot send all of them.
   */
  private static void send(Signal signal, long pid) {
    String script = "kill -" + signal + " $0; kill -CONT $0";
    try {
      run(program(List.of("sh", "-c", script, Long.toString(pid))));
    } catch (IOException e) {
      throw new EmbeddedPostgresException("Cannot signal PostgreSQL, process " + pid, e);
    }
  }

  /** Returns a process with an environment of only {@code PATH} and the locale. */
  private static ProcessBuilder program(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(Set.of("PATH"));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  /**
   * Tries a user. Returns the reason against it, or an empty string if there is none. As root, a
   * data directory is handed to the user for the trial, and handed back if it fails.
   */
  private String tryOut(PostgresBinaries binaries, FileOwner before) throws IOException {
    boolean root = FileOwner.ofThisProcess().isRoot();
    if (root && directory.owner().uid() != user().uid()) {
      if (!DataDirectory.PRIVATE_FOLDER.containsAll(
          Files.getPosixFilePermissions(directory.path()))) {
        return "would change the owner of "
            + directory
            + ", which other users can access (run chmod 700 first)";
      }
      user().take(directory.path());
    }
    String problem = trial(binaries);
    if (!problem.isEmpty() && root) {
      before.take(directory.path());
    }
    return problem;
  }

  /**
   * Runs the trial script as the user, and returns the reason against that user or an empty string.
   */
  private String trial(PostgresBinaries binaries) {
    List<String> script =
        List.of("sh", "-c", TRIAL, "sh", directory.toString(), binaries.program("postgres"));
    try {
      Outcome outcome = run(guarded(script));
      return outcome.output().endsWith("postgres (PostgreSQL) " + PostgresBinaries.VERSION)
          ? ""
          : "exit code %s, %s".formatted(outcome.exit(), outcome.output());
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /** Returns the exception with advice for root or for an ordinary user, and all reasons. */
  private static EmbeddedPostgresException refusal(
      FileOwner me, DataDirectory directory, List<String> problems) {
    String advice =
        me.isRoot()
            ? "PostgreSQL refuses to run as root, and no other user could be used for %s. Change"
                + " the owner of the data directory to a regular user (chown), start as a regular"
                + " user, or use an external database."
            : "PostgreSQL cannot run on this system, for %s. It requires Linux with glibc and"
                + " libstdc++ (or macOS), a user with a name, and a folder that is not mounted"
                + " noexec. Otherwise use an external database.";
    return new EmbeddedPostgresException(
        advice.formatted(directory) + " Tried: " + String.join("; ", problems));
  }

  /** Signals that stop a server, in order of increasing force. */
  private enum Signal {
    /** A shutdown that writes everything. */
    INT(60),
    /** A shutdown that leaves recovery to the next start. It takes up to five seconds. */
    QUIT(10),
    KILL(10);

    private final Duration timeout;

    Signal(int seconds) {
      timeout = Duration.ofSeconds(seconds);
    }
  }

  /** The exit code of a program, and its standard output and error. */
  record Outcome(int exit, String output) {}

  /**
   * A user to run PostgreSQL's programs as, since they refuse root.
   *
   * @param prefix the command that switches to the user; empty for the current user
   * @param files the owner of files that the user can write
   */
  private record Identity(List<String> prefix, FileOwner files) {

    /** Returns the users to try, the best first. */
    static List<Identity> candidates(FileOwner me, FileOwner directory) {
      if (!me.isRoot()) {
        // initdb refuses a user number without a name, as some containers have it. In a user
        // namespace without a mapping the user is "nobody".
        return List.of(new Identity(List.of(), me), new Identity(UNMAPPED, me));
      }
      if (!directory.isRoot()) {
        return List.of(as(directory));
      }
      return List.of(new Identity(UNMAPPED, FileOwner.ROOT), as(FileOwner.NOBODY));
    }

    /** Returns the identity that switches to a user and group by number. */
    private static Identity as(FileOwner owner) {
      return new Identity(
          List.of("setpriv", "--reuid=" + owner.uid(), "--regid=" + owner.gid(), "--clear-groups"),
          owner);
    }

    @Override
    public String toString() {
      return prefix.isEmpty() ? "as this user" : String.join(" ", prefix);
    }
  }
}
