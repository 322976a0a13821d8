package io.tokenvault.server.config;

import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.server.limits.NodeRateLimits.RateLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All settings of an operator, validated.
 *
 * <p>A value of this type exists only if every setting is valid; see {@link #from(Map)}. Limits in
 * bytes, durations and counts are within the ranges of {@code docs/configuration.md}.
 *
 * @param web the listeners and what they accept
 * @param warmUp how long a starting server compiles its code before it listens; zero: not at all
 * @param dataDirectory the directory of the embedded database and of files that the vault creates
 * @param database the external database; empty: the embedded one
 * @param databasePoolSize the number of connections for requests
 * @param databaseLimits time limits of database operations
 * @param databaseWait how long a starting server waits for the database to accept connections
 * @param auditStream whether the audit log is written to standard output
 * @param checkpoints the target of checkpoints of the audit log
 * @param masterKeysetFile empty: in the data directory
 * @param cvcLifetime the lifetime of card verification codes; empty: that of their token
 * @param masterKeyUri the key of a key management service that encrypts the master keyset
 * @param egressPolicy the destinations that requests may be sent to
 * @param proxy the way to destinations, and limits of proxy invocations
 * @param keepsResponses whether the whole response to an idempotent request is recorded, not only
 *     its status
 * @param transforms limits and processes of transforms
 * @param isolationRequired whether the server must not start if these processes cannot be isolated
 * @param tracing the format of log lines and the propagation of traces
 */
public record Configuration(
    Web web,
    Duration warmUp,
    Path dataDirectory,
    Optional<DatabaseSettings> database,
    int databasePoolSize,
    DatabaseSettings.Limits databaseLimits,
    Duration databaseWait,
    boolean auditStream,
    Checkpoints checkpoints,
    Optional<Path> masterKeysetFile,
    Optional<Duration> cvcLifetime,
    Optional<String> masterKeyUri,
    EgressPolicy egressPolicy,
    ProxyEngine.Settings proxy,
    boolean keepsResponses,
    WorkerTransforms.Settings transforms,
    boolean isolationRequired,
    Tracing tracing) {

  private static final String KEYSET_NAME = "master-keyset.json";

  /**
   * Reads the configuration from environment variables and the properties file that they may name.
   *
   * @param environment the environment variables of the process
   * @throws ConfigurationException naming everything that is wrong
   */
  public static Configuration from(Map<String, String> environment) {
    return from(environment, EnumSet.allOf(Setting.class), Map.of());
  }

  /**
   * Reads {@link #masterKeyUri()} alone, for commands that need no other setting.
   *
   * @throws ConfigurationException naming everything that is wrong with it
   */
  public static Optional<String> masterKeyUri(Map<String, String> environment) {
    return new ConfigurationReader(
            new SettingValues(environment, EnumSet.allOf(Setting.class), Map.of()))
        .readMasterKeyUri();
  }

  /**
   * Reads a part of the configuration.
   *
   * @param environment the environment variables of the process
   * @param kept the settings that are taken from there and from the properties file
   * @param chosen values that take precedence; all other settings have their defaults
   * @throws ConfigurationException naming everything that is wrong
   */
  public static Configuration from(
      Map<String, String> environment, Set<Setting> kept, Map<Setting, String> chosen) {
    return new ConfigurationReader(new SettingValues(environment, kept, chosen)).read();
  }

  /** Returns the path of the master keyset, whether the file exists or not. */
  public Path keysetFile() {
    return masterKeysetFile.orElseGet(() -> dataDirectory.resolve(KEYSET_NAME));
  }

  /**
   * The target of checkpoints of the audit log: a file, standard output, or none.
   *
   * @param file empty: checkpoints are not written to a file
   * @param standardOutput whether they are written to standard output
   * @param period the time between two checkpoints
   */
  public record Checkpoints(Optional<Path> file, boolean standardOutput, Duration period) {}

  /**
   * The listeners of the server and the requests that they accept.
   *
   * @param http the listener of the API
   * @param admin empty: there is no admin listener
   * @param shutdownDelay how long a stopping server continues to serve while it is not ready
   * @param apiMemory memory for request and response bodies of the API together, in bytes
   * @param rates limits on requests over time
   */
  public record Web(
      HttpSettings http,
      Optional<Admin> admin,
      Duration shutdownDelay,
      long apiMemory,
      Rates rates) {}

  /**
   * The address of the admin listener.
   *
   * @param port 0: any free port
   * @param required whether the server must not start without it: the operator chose its port
   */
  public record Admin(String host, int port, boolean required) {}

  /**
   * Rate limits of requests.
   *
   * @param application for each application; empty: unlimited
   * @param anonymous for all callers without a key of one proxy; empty: unlimited
   */
  public record Rates(Optional<RateLimit> application, Optional<RateLimit> anonymous) {}

  /**
   * The log lines of the server and the propagation of traces.
   *
   * @param jsonLogs whether log lines are JSON
   * @param accessLog whether a line for each request is written to standard output
   * @param toDestinations whether the trace context of the caller is forwarded to destinations
   */
  public record Tracing(boolean jsonLogs, boolean accessLog, boolean toDestinations) {}
}
