package io.tokenvault.server.place;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.secret.SensitiveValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/**
 * Servers with empty tables, each in a directory of its own. The programs are unpacked, and the
 * cluster and its tables are made once in this JVM; each directory is a copy, with the same
 * passwords.
 */
public final class FreshPostgres {

  private FreshPostgres() {}

  /**
   * Starts one.
   *
   * @param directory does not exist yet, or is empty
   */
  public static EmbeddedPostgres in(Path directory) {
    prepare(directory);
    return EmbeddedPostgres.start(directory, new SecureRandom());
  }

  /** Spares the one that will be started in this directory its first start. */
  public static void prepare(Path directory) {
    Unchecked.run(() -> Files.createDirectories(directory));
    ProgramRun.of("cp", "-a", Template.DIRECTORY + "/.", directory.toString()).expectSuccess();
  }

  /** Made when it is first asked for; gone with this JVM. */
  private static final class Template {

    static final Path DIRECTORY = make();

    private static Path make() {
      Path target = Path.of("target").toAbsolutePath();
      Path directory =
          Unchecked.get(
              () -> Files.createTempDirectory(Files.createDirectories(target), "template-"));
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> ProgramRun.of("rm", "-rf", directory.toString()), "removal"));
      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, new SecureRandom())) {
        JdbiStores.open(settings(postgres)).close();
      }
      return directory;
    }

    private static DatabaseSettings settings(EmbeddedPostgres postgres) {
      Duration patience = Duration.ofSeconds(30);
      return new DatabaseSettings(
          postgres.jdbcUrl(),
          login(postgres.runtimeUser(), postgres.runtimePassword()),
          Optional.of(login(postgres.ownerUser(), postgres.ownerPassword())),
          1,
          new Limits(patience, patience, patience));
    }

    private static Login login(String user, String password) {
      return new Login(user, SensitiveValue.ofText(password));
    }
  }
}
