package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.domain.secret.SensitiveValue;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.postgresql.Driver;

/**
 * How to reach the database.
 *
 * @param jdbcUrl a {@code jdbc:postgresql:} URL, without credentials
 * @param runtime who serves requests
 * @param owner who owns the tables and migrates; empty: the same as {@code runtime}, which then
 *     could also change the audit log's definition
 * @param poolSize how many connections are held at the most
 * @param limits how long to wait for the database
 */
public record DatabaseSettings(
    String jdbcUrl, Login runtime, Optional<Login> owner, int poolSize, Limits limits) {

  public static final int USUAL_PORT = 5432;

  private static final String PREFIX = "jdbc:postgresql:";

  public DatabaseSettings {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl");
    Objects.requireNonNull(runtime, "runtime");
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(limits, "limits");
    if (!isUrl(jdbcUrl) || poolSize < 1) {
      throw new IllegalArgumentException(
          "a database has a jdbc:postgresql: URL and a pool of at least one connection");
    }
  }

  /** Whether this is a URL that the driver understands. */
  public static boolean isUrl(String text) {
    return text.startsWith(PREFIX) && Driver.parseURL(text, null) != null;
  }

  public Login migrator() {
    return owner.orElse(runtime);
  }

  public boolean hasOneRole() {
    return migrator().user().equals(runtime.user());
  }

  /** The users only: a URL can hold more than it should. */
  @Override
  public String toString() {
    return "DatabaseSettings[" + runtime + ", owner " + owner + "]";
  }

  /** A database role. */
  public record Login(String user, SensitiveValue password) {
    public Login {
      Objects.requireNonNull(user, "user");
      Objects.requireNonNull(password, "password");
    }
  }

  /**
   * How long a request may wait for the database until it fails; no wait is without a limit.
   *
   * @param connect for a connection to be made; counted in whole seconds
   * @param statement for a statement to finish; counted in whole seconds
   * @param pool for a connection of the pool to be free; at least 250 ms
   */
  public record Limits(Duration connect, Duration statement, Duration pool) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration SHORTEST_POOL_WAIT = Duration.ofMillis(250);

    public static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(3));

    public Limits {
      if (connect.compareTo(SHORTEST) < 0
          || statement.compareTo(SHORTEST) < 0
          || pool.compareTo(SHORTEST_POOL_WAIT) < 0) {
        throw new IllegalArgumentException(
            "a database has at least 1 s to connect, 1 s to answer and 250 ms to be free");
      }
    }
  }
}
