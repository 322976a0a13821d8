package io.tokenvault.server.environment;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.secret.SensitiveValue;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/**
 * Creates PostgreSQL servers with empty tables. All directories, with their programs and passwords,
 * are copies of a template that the first JVM of a build initializes.
 */
public final class FreshPostgres {

  private FreshPostgres() {}

  /**
   * Starts a server.
   *
   * @param directory does not exist yet, or is empty
   */
  public static EmbeddedPostgres in(Path directory) {
    prepare(directory);
    return EmbeddedPostgres.start(directory, directory, new SecureRandom());
  }

  /** Copies the template to a directory, which shortens the first start of a server there. */
  public static void prepare(Path directory) {
    Unchecked.run(() -> Files.createDirectories(directory));
    ProgramRun.of("cp", "-a", Template.DIRECTORY + "/.", directory.toString()).expectSuccess();
  }

  /** The template, which stays in the target folder until the next build. */
  private static final class Template {

    static final Path DIRECTORY = Path.of("target", "template").toAbsolutePath();

    static {
      Unchecked.run(Template::createOncePerBuild);
    }

    private static void createOncePerBuild() throws IOException {
      try (RandomAccessFile build = new RandomAccessFile(DIRECTORY + ".build", "rw")) {
        build.getChannel().lock();
        if (build.length() == 0 || !build.readUTF().equals(Fork.BUILD)) {
          ProgramRun.of("rm", "-rf", DIRECTORY.toString());
          try (EmbeddedPostgres postgres =
              EmbeddedPostgres.start(DIRECTORY, DIRECTORY, new SecureRandom())) {
            JdbiStores.open(settings(postgres)).close();
          }
          build.seek(0);
          build.writeUTF(Fork.BUILD);
        }
      }
    }

    private static DatabaseSettings settings(EmbeddedPostgres postgres) {
      Duration timeout = Duration.ofSeconds(30);
      return new DatabaseSettings(
          postgres.jdbcUrl(),
          login(postgres.runtimeUser(), postgres.runtimePassword()),
          Optional.of(login(postgres.ownerUser(), postgres.ownerPassword())),
          1,
          new Limits(timeout, timeout, timeout));
    }

    private static Login login(String user, String password) {
      return new Login(user, SensitiveValue.ofText(password));
    }
  }
}
