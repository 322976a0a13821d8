package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How PostgreSQL's programs are started on this machine, for this data directory. */
final class Launch {

  private static final String TRIAL =
      """
      id -un >/dev/null || exit 1
      test -w "$1" || { echo "user $(id -u) cannot write to $1"; exit 1; }
      exec "$2" --version
      """;

  private final Identity identity;
  private final Guard guard;
  private final DataDirectory directory;

  private Launch(Identity identity, Guard guard, DataDirectory directory) {
    this.identity = identity;
    this.guard = guard;
    this.directory = directory;
  }

  /** Tries the possible ways in turn; afterwards the data directory belongs to the chosen user. */
  static Launch choose(DataDirectory directory, Binaries binaries) throws IOException {
    Owner before = directory.owner();
    Owner me = Owner.ofThisProcess();
    Guard guard = Guard.ofThisSystem();
    List<String> problems = new ArrayList<>();
    for (Identity identity : Identity.candidates(me, before)) {
      Launch launch = new Launch(identity, guard, directory);
      String problem = launch.tryOut(binaries, before);
      if (problem.isEmpty()) {
        return launch;
      }
      problems.add(identity + ": " + problem);
    }
    throw refusal(me, directory, problems);
  }

  Owner user() {
    return identity.files();
  }

  Program program(List<String> command) {
    List<String> prefix = new ArrayList<>(identity.prefix());
    prefix.addAll(guard.prefix());
    return Program.of(prefix, command).in(directory.path());
  }

  /** What speaks against it; empty if nothing. */
  private String tryOut(Binaries binaries, Owner before) throws IOException {
    if (!identity.mayClaim(directory)) {
      return "would take over " + directory + ", which other users can enter (chmod 700 it first)";
    }
    identity.claim(directory);
    String problem = trial(binaries);
    if (!problem.isEmpty() && Owner.ofThisProcess().isRoot()) {
      before.take(directory.path());
    }
    return problem;
  }

  private String trial(Binaries binaries) {
    List<String> script =
        List.of("sh", "-c", TRIAL, "sh", directory.toString(), binaries.postgres());
    try {
      Program.Outcome outcome = program(script).run();
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
        problems.stream()
            .collect(Collectors.joining("; ", advice.formatted(directory) + " Tried: ", "")));
  }
}
