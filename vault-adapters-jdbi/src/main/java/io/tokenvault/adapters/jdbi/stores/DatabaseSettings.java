package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.domain.secret.SensitiveValue;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.postgresql.Driver;

/**
 * Connection settings of a PostgreSQL database: its URL, its roles and the limits on waiting for
 * it.
 *
 * <p>Use two roles: {@code runtime} serves requests and has no right to change or delete audit
 * entries, and {@code owner} owns the tables and runs the migrations.
 *
 * @param jdbcUrl a {@code jdbc:postgresql:} URL, without credentials
 * @param runtime the role that serves requests
 * @param owner the role that owns the tables and migrates; if empty, {@code runtime} does both and
 *     could then also change the audit log's definition
 * @param poolSize the maximum number of connections in the pools, at least 1
 * @param limits the maximum times to wait for the database
 */
public record DatabaseSettings(
    String jdbcUrl, Login runtime, Optional<Login> owner, int poolSize, Limits limits) {

  public static final int USUAL_PORT = 5432;

  private static final String PREFIX = "jdbc:postgresql:";

  /**
   * Validates the settings.
   *
   * @throws IllegalArgumentException if the URL is not one of PostgreSQL or the pool has no
   *     connection
   */
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

  /** Returns whether the text is a {@code jdbc:postgresql:} URL that the driver can parse. */
  public static boolean isUrl(String text) {
    return text.startsWith(PREFIX) && Driver.parseURL(text, null) != null;
  }

  /** Returns these settings with at most {@code maximum} connections in the pools. */
  public DatabaseSettings withPoolSizeAtMost(int maximum) {
    return new DatabaseSettings(jdbcUrl, runtime, owner, Math.min(poolSize, maximum), limits);
  }

  /** Returns the role that migrates: the owner, or the runtime role if there is no owner. */
  public Login migrator() {
    return owner.orElse(runtime);
  }

  /** Returns the roles without the URL, since a URL can contain a password by mistake. */
  @Override
  public String toString() {
    return "DatabaseSettings[" + runtime + ", owner " + owner + "]";
  }

  /**
   * A database role and its password.
   *
   * @param user the name of the role
   * @param password the password, which {@code toString} never shows
   */
  public record Login(String user, SensitiveValue password) {
    public Login {
      Objects.requireNonNull(user, "user");
      Objects.requireNonNull(password, "password");
    }
  }

  /**
   * Maximum times that a request waits for the database before it fails. Every wait has a limit.
   *
   * @param connect for opening a connection; at least 1 s, rounded up to whole seconds
   * @param statement for running a statement; at least 1 s
   * @param pool for a free connection of the pool; at least 250 ms
   */
  public record Limits(Duration connect, Duration statement, Duration pool) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration SHORTEST_POOL_WAIT = Duration.ofMillis(250);

    /**
     * Validates the limits.
     *
     * @throws IllegalArgumentException if a limit is below its minimum
     */
    public Limits {
      if (connect.compareTo(SHORTEST) < 0
          || statement.compareTo(SHORTEST) < 0
          || pool.compareTo(SHORTEST_POOL_WAIT) < 0) {
        throw new IllegalArgumentException(
            "the connect timeout is at least 1 s, the statement timeout 1 s and the pool timeout 250 ms");
      }
    }
  }
}
