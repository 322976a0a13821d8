package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Starts PostgreSQL's programs for a data directory: as a user that they accept, without any secret
 * in the environment, and so that they end with this JVM, even with one that was killed.
 */
final class Launcher {

  private static final List<String> UNMAPPED = List.of("unshare", "-U");

  /** Keeps Ctrl-C from stopping PostgreSQL before the server has finished its requests. */
  private static final List<String> SESSION_OF_ITS_OWN = List.of("setsid");

  /** A shell beside the program waits for the end of a pipe that only this JVM writes to. */
  private static final List<String> GUARD =
      List.of(
          "sh",
          "-c",
          """
          exec 3<&0
          ( ( read -r _ <&3 || kill -INT $$ ) >/dev/null 2>&1 & )
          exec "$@" </dev/null 3<&-
          """,
          "sh");

  private static final String TRIAL =
      """
      id -un >/dev/null || exit 1
      test -w "$1" || { echo "user $(id -u) cannot write to $1"; exit 1; }
      exec "$2" --version
      """;

  private final Identity identity;
  private final List<String> prefix;
  private final DataDirectory directory;

  private Launcher(Identity identity, List<String> session, DataDirectory directory) {
    this.identity = identity;
    this.prefix = new ArrayList<>(identity.prefix());
    this.prefix.addAll(session);
    this.prefix.addAll(GUARD);
    this.directory = directory;
  }

  /** Tries the possible users in turn; afterwards the data directory belongs to the chosen one. */
  static Launcher choose(DataDirectory directory, Binaries binaries) throws IOException {
    Owner before = directory.owner();
    Owner me = Owner.ofThisProcess();
    List<String> session = works(SESSION_OF_ITS_OWN) ? SESSION_OF_ITS_OWN : List.of();
    List<String> problems = new ArrayList<>();
    for (Identity identity : Identity.candidates(me, before)) {
      Launcher launcher = new Launcher(identity, session, directory);
      String problem = launcher.tryOut(binaries, before);
      if (problem.isEmpty()) {
        return launcher;
      }
      problems.add(identity + ": " + problem);
    }
    throw refusal(me, directory, problems);
  }

  private static boolean works(List<String> prefix) {
    try {
      List<String> command = new ArrayList<>(prefix);
      command.add("true");
      return run(program(command)).exit() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  Owner user() {
    return identity.files();
  }

  /** Returns one of PostgreSQL's programs, not started yet. */
  ProcessBuilder guarded(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return program(all).directory(directory.path().toFile());
  }

  /** Runs a program to its end. */
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

  static void signal(String signal, long pid) {
    try {
      run(program(List.of("sh", "-c", "kill -" + signal + " " + pid)));
    } catch (IOException e) {
      throw new EmbeddedPostgresException("Cannot signal PostgreSQL, process " + pid, e);
    }
  }

  private static ProcessBuilder program(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(Set.of("PATH"));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  /** Returns what speaks against this user; empty if nothing. */
  private String tryOut(Binaries binaries, Owner before) throws IOException {
    boolean root = Owner.ofThisProcess().isRoot();
    if (root && directory.owner().uid() != user().uid()) {
      if (!DataDirectory.PRIVATE_FOLDER.containsAll(
          Files.getPosixFilePermissions(directory.path()))) {
        return "would take over "
            + directory
            + ", which other users can enter (chmod 700 it first)";
      }
      user().take(directory.path());
    }
    String problem = trial(binaries);
    if (!problem.isEmpty() && root) {
      before.take(directory.path());
    }
    return problem;
  }

  private String trial(Binaries binaries) {
    List<String> script =
        List.of("sh", "-c", TRIAL, "sh", directory.toString(), binaries.postgres());
    try {
      Outcome outcome = run(guarded(script));
      return outcome.output().endsWith("postgres (PostgreSQL) " + Binaries.VERSION)
          ? ""
          : "exit code %d, %s".formatted(outcome.exit(), outcome.output());
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static EmbeddedPostgresException refusal(
      Owner me, DataDirectory directory, List<String> problems) {
    String advice =
        me.isRoot()
            ? "PostgreSQL refuses to run as root, and no other user could be used for %s. Give the"
                + " data directory to an ordinary user (chown), start as an ordinary user, or use"
                + " an external database."
            : "PostgreSQL's programs do not run here, for %s. They need Linux with glibc and"
                + " libstdc++ (or macOS), a user that has a name, and a folder that is not mounted"
                + " noexec; or use an external database.";
    return new EmbeddedPostgresException(
        advice.formatted(directory) + " Tried: " + String.join("; ", problems));
  }

  /** How a program ended, and what it printed. */
  record Outcome(int exit, String output) {}

  /** The user that PostgreSQL's programs run as: they refuse root. */
  private record Identity(List<String> prefix, Owner files) {

    /** Returns the better ones first. */
    static List<Identity> candidates(Owner me, Owner directory) {
      if (!me.isRoot()) {
        // A number without a name, as some containers have it, is refused by initdb; unmapped it is
        // "nobody".
        return List.of(new Identity(List.of(), me), new Identity(UNMAPPED, me));
      }
      if (!directory.isRoot()) {
        return List.of(as(directory));
      }
      return List.of(new Identity(UNMAPPED, Owner.ROOT), as(Owner.NOBODY));
    }

    private static Identity as(Owner owner) {
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
