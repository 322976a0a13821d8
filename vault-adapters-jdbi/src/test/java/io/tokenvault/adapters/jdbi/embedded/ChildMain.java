package io.tokenvault.adapters.jdbi.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;

/** Runs PostgreSQL; arguments: {@code server} or {@code command}, data directory, programs. */
final class ChildMain {

  private ChildMain() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    Path programs = Path.of(arguments[2]);
    try {
      EmbeddedPostgres postgres =
          arguments[0].equals("server")
              ? EmbeddedPostgres.start(directory, programs, new SecureRandom())
              : EmbeddedPostgres.startOrAttach(directory, programs, new SecureRandom());
      awaitInput(postgres);
    } catch (EmbeddedPostgresException e) {
      System.out.println("REFUSED " + e.getMessage());
    }
  }

  /** Waits for input: an empty line closes PostgreSQL, the end of the input only returns. */
  private static void awaitInput(EmbeddedPostgres postgres) throws Exception {
    System.out.println("READY " + Sql.asOwner(postgres, "select current_database()"));
    if (System.in.read() == '\n') {
      System.out.println("WORKED " + Sql.asRuntime(postgres, "select current_user"));
      postgres.close();
    }
  }
}
