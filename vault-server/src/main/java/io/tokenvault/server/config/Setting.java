package io.tokenvault.server.config;

import java.util.Arrays;
import java.util.Optional;

/**
 * All settings, with their names and defaults.
 *
 * <p>A setting is an environment variable or a line of the properties file. Secret settings can
 * also name a file: {@code VAULT_DATABASE_PASSWORD_FILE} holds the path of a file with the value of
 * {@code VAULT_DATABASE_PASSWORD}. {@code docs/configuration.md} describes each setting; a test
 * compares the two.
 */
public enum Setting {
  /** Path of a properties file with further settings; the environment takes precedence. */
  CONFIG_FILE("VAULT_CONFIG_FILE", null),
  /** Port of the API. */
  PORT("VAULT_PORT", "8080", 0, 65_535),
  /**
   * Address of the API. Without TLS only a loopback address is accepted, unless {@link
   * #PLAIN_HTTP}.
   */
  HOST("VAULT_HOST", "127.0.0.1"),
  /** Directory of the embedded PostgreSQL, the master keyset and the first key. */
  DATA_DIR("VAULT_DATA_DIR", "./data"),
  /** JDBC URL of an external PostgreSQL, without credentials; none: the embedded one. */
  DATABASE_URL("VAULT_DATABASE_URL", null),
  /** User of requests on the external database. */
  DATABASE_USER("VAULT_DATABASE_USER", null),
  /** Password of {@link #DATABASE_USER}; secret. */
  DATABASE_PASSWORD("VAULT_DATABASE_PASSWORD", null),
  /** User that migrates the schema and creates partitions; none: {@link #DATABASE_USER}. */
  DATABASE_OWNER_USER("VAULT_DATABASE_OWNER_USER", null),
  /** Password of {@link #DATABASE_OWNER_USER}; secret. */
  DATABASE_OWNER_PASSWORD("VAULT_DATABASE_OWNER_PASSWORD", null),
  /** Number of connections for requests, 1 to 1000. */
  DATABASE_POOL_SIZE("VAULT_DATABASE_POOL_SIZE", "10", 1, 1000),
  /** Time to establish a connection to the database, at least a second. */
  DATABASE_CONNECT_TIMEOUT_MS("VAULT_DATABASE_CONNECT_TIMEOUT_MS", "5000", 1000, 3_600_000),
  /** Time to execute a statement, at least a second. */
  DATABASE_STATEMENT_TIMEOUT_MS("VAULT_DATABASE_STATEMENT_TIMEOUT_MS", "10000", 1000, 3_600_000),
  /** Time that a request may wait for a connection, at least 250 ms. */
  DATABASE_POOL_TIMEOUT_MS("VAULT_DATABASE_POOL_TIMEOUT_MS", "3000", 250, 3_600_000),
  /** Time that a starting server waits for the external database, at most an hour. */
  DATABASE_WAIT_SECONDS("VAULT_DATABASE_WAIT_SECONDS", "30", 0, 3600),
  /** Whether the audit log is written to standard output: {@code none} or {@code stdout}. */
  AUDIT_STREAM("VAULT_AUDIT_STREAM", "none"),
  /** Target of signed checkpoints: {@code none}, {@code stdout}, or {@code file:} and a path. */
  AUDIT_CHECKPOINTS("VAULT_AUDIT_CHECKPOINTS", "none"),
  /** Time between two checkpoints, at most a day. */
  AUDIT_CHECKPOINT_SECONDS("VAULT_AUDIT_CHECKPOINT_SECONDS", "60", 1, 86_400),
  /** File of the master keyset; required with an external database. */
  MASTER_KEYSET_FILE("VAULT_MASTER_KEYSET_FILE", null),
  /** Lifetime of the {@code cvc} of a card; none: that of its token. */
  CARD_CVC_LIFETIME_SECONDS("VAULT_CARD_CVC_LIFETIME_SECONDS", null, 1, 315_360_000),
  /** Key of AWS KMS that encrypts the master keyset file: {@code aws-kms://} and its ARN. */
  MASTER_KEY_URI("VAULT_MASTER_KEY_URI", null),
  /** PEM file of the certificate chain of both listeners. */
  TLS_CERT_FILE("VAULT_TLS_CERT_FILE", null),
  /** PEM file of the private key that belongs to {@link #TLS_CERT_FILE}. */
  TLS_KEY_FILE("VAULT_TLS_KEY_FILE", null),
  /** Whether plain HTTP is accepted on any address, as behind a proxy that terminates TLS. */
  PLAIN_HTTP("VAULT_PLAIN_HTTP", "false"),
  /** Time that a starting server spends on compiling its code before it listens; 0: none. */
  WARM_UP_SECONDS("VAULT_WARM_UP_SECONDS", "0", 0, 600),
  /** Time that a stopping server continues to serve while it reports that it is not ready. */
  SHUTDOWN_DELAY_MS("VAULT_SHUTDOWN_DELAY_MS", "0", 0, 300_000),
  /** Number of concurrent requests beyond which further ones are rejected. */
  MAX_REQUESTS("VAULT_MAX_REQUESTS", "512", 1, 100_000),
  /** Minimum data rate of bodies in bytes per second; 0: none. */
  MIN_BODY_RATE("VAULT_MIN_BODY_RATE", "240", 0, 1_000_000),
  /**
   * Memory for bodies of the API together, at least what serves small requests; none: a quarter of
   * the heap.
   */
  API_MEMORY_BYTES("VAULT_API_MEMORY_BYTES", null, 1 << 20, Long.MAX_VALUE),
  /** Origins, separated by commas, whose scripts may call the API. */
  CORS_ALLOWED_ORIGINS("VAULT_CORS_ALLOWED_ORIGINS", null),
  /** Prefix of the service's own headers. */
  HEADER_PREFIX("VAULT_HEADER_PREFIX", "SVC-"),
  /**
   * PEM file of certificates that are trusted for destinations in addition to those of the system.
   */
  EGRESS_CA_FILE("VAULT_EGRESS_CA_FILE", null),
  /** Host names, separated by commas, that may resolve to private addresses. */
  EGRESS_PRIVATE_HOSTS("VAULT_EGRESS_PRIVATE_HOSTS", null),
  /** Pairs of host name and address that are used instead of DNS. */
  EGRESS_HOST_OVERRIDES("VAULT_EGRESS_HOST_OVERRIDES", null),
  /** The only hosts that requests may be sent to; none: any public host. */
  EGRESS_ALLOWED_HOSTS("VAULT_EGRESS_ALLOWED_HOSTS", null),
  /** Keystore (PKCS12 or JKS) with client certificates for destinations. */
  EGRESS_KEYSTORE_FILE("VAULT_EGRESS_KEYSTORE_FILE", null),
  /** Password of the keystore and of every key in it; secret. */
  EGRESS_KEYSTORE_PASSWORD("VAULT_EGRESS_KEYSTORE_PASSWORD", null),
  /**
   * URL of the operator's own HTTP proxy for destinations; secret, since it may contain a password.
   */
  EGRESS_HTTP_PROXY("VAULT_EGRESS_HTTP_PROXY", null),
  /** Time to connect to a destination. */
  PROXY_CONNECT_TIMEOUT_MS("VAULT_PROXY_CONNECT_TIMEOUT_MS", "10000", 1, 3_600_000),
  /** Time until the first byte of a destination's response. */
  PROXY_ANSWER_TIMEOUT_MS("VAULT_PROXY_ANSWER_TIMEOUT_MS", "30000", 1, 3_600_000),
  /** Time without any byte of an exchange after that. */
  PROXY_IDLE_TIMEOUT_MS("VAULT_PROXY_IDLE_TIMEOUT_MS", "60000", 1, 3_600_000),
  /** Whether HTTP/2 is used with destinations that support it. */
  PROXY_HTTP2("VAULT_PROXY_HTTP2", "false"),
  /** Number of concurrent requests to one destination. */
  PROXY_DESTINATION_REQUESTS("VAULT_PROXY_DESTINATION_REQUESTS", "384", 1, 100_000),
  /** Size of a textual request body that is buffered to find expressions in it. */
  PROXY_HELD_BODY_BYTES("VAULT_PROXY_HELD_BODY_BYTES", "10485760", 1, 256 << 20),
  /**
   * Part of a response that is recorded for idempotent requests: {@code status} or {@code whole}.
   */
  PROXY_KEPT_ANSWERS("VAULT_PROXY_KEPT_ANSWERS", "status"),
  /** Memory for buffered bodies of all proxy requests; none: a quarter of the heap. */
  PROXY_HELD_BODIES_BYTES("VAULT_PROXY_HELD_BODIES_BYTES", null, 1, Long.MAX_VALUE),
  /** Number of transforms that run at the same time; none: one for each processor, at least two. */
  TRANSFORM_WORKERS("VAULT_TRANSFORM_WORKERS", null, 1, 1000),
  /** Number of worker processes that are started in advance. */
  TRANSFORM_SPARE_WORKERS("VAULT_TRANSFORM_SPARE_WORKERS", "1", 0, 1000),
  /** Number of transforms of one tenant that are compiled at the same time. */
  TRANSFORM_COMPILERS("VAULT_TRANSFORM_COMPILERS", "1", 1, 1000),
  /** CPU time of the compilation of one transform. */
  TRANSFORM_COMPILE_CPU_MS("VAULT_TRANSFORM_COMPILE_CPU_MS", "15000", 1, 600_000),
  /** Number of invocations that may wait for a worker. */
  TRANSFORM_QUEUE("VAULT_TRANSFORM_QUEUE", "64", 0, 100_000),
  /** Time that an invocation may wait for a worker, including the start of the worker. */
  TRANSFORM_QUEUE_WAIT_MS("VAULT_TRANSFORM_QUEUE_WAIT_MS", "10000", 1, 600_000),
  /** Whether isolation of workers is {@code preferred} or {@code required}. */
  TRANSFORM_ISOLATION("VAULT_TRANSFORM_ISOLATION", "preferred"),
  /** CPU time of one invocation of a transform. */
  TRANSFORM_CPU_MS("VAULT_TRANSFORM_CPU_MS", "5000", 1, 600_000),
  /** Elapsed time of one invocation, including its calls of {@code bt} and {@code fetch}. */
  TRANSFORM_TIMEOUT_MS("VAULT_TRANSFORM_TIMEOUT_MS", "10000", 1, 600_000),
  /** Memory of one invocation at any time. */
  TRANSFORM_MEMORY_MIB("VAULT_TRANSFORM_MEMORY_MIB", "64", 16, 16 << 10),
  /** Memory that one invocation allocates altogether, in use or not. */
  TRANSFORM_ALLOCATION_MIB("VAULT_TRANSFORM_ALLOCATION_MIB", "4096", 1, 1 << 20),
  /** Number of instructions of one invocation. */
  TRANSFORM_INSTRUCTIONS("VAULT_TRANSFORM_INSTRUCTIONS", "1000000000", 1, Long.MAX_VALUE),
  /** Size of a body that a transform receives or returns. */
  TRANSFORM_BODY_BYTES("VAULT_TRANSFORM_BODY_BYTES", "10485760", 1, 32 << 20),
  /** Number of calls of {@code bt} and {@code fetch} together in one invocation. */
  TRANSFORM_CALLS("VAULT_TRANSFORM_CALLS", "100", 0, 10_000),
  /** Directory of CommonJS modules that transforms may require. */
  TRANSFORM_MODULES_DIR("VAULT_TRANSFORM_MODULES_DIR", null),
  /** Further names, separated by commas, of the module of error classes. */
  TRANSFORM_MODULE_ALIASES("VAULT_TRANSFORM_MODULE_ALIASES", null),

  /** Requests per minute of each application on this node; none: unlimited. */
  APPLICATION_RATE_PER_MINUTE("VAULT_APPLICATION_RATE_PER_MINUTE", null, 1, 60_000_000),
  /** Requests of an application that are allowed at once; none: a sixth of the rate. */
  APPLICATION_RATE_BURST("VAULT_APPLICATION_RATE_BURST", null, 1, 1_000_000),
  /** Requests per minute without an API key to each proxy on this node; none: unlimited. */
  ANONYMOUS_RATE_PER_MINUTE("VAULT_ANONYMOUS_RATE_PER_MINUTE", null, 1, 60_000_000),
  /** Requests without an API key that are allowed at once; none: a sixth of the rate. */
  ANONYMOUS_RATE_BURST("VAULT_ANONYMOUS_RATE_BURST", null, 1, 1_000_000),

  // The admin listener and diagnostics.
  /** Port of the admin listener, or {@code off}; none: 8090 if it is free. */
  ADMIN_PORT("VAULT_ADMIN_PORT", null, 0, 65_535),
  /** Address of the admin listener. */
  ADMIN_HOST("VAULT_ADMIN_HOST", "127.0.0.1"),
  /** Format of log lines: {@code plain} or {@code json}. */
  LOG_FORMAT("VAULT_LOG_FORMAT", "plain"),
  /** Whether requests are written to standard output: {@code none} or {@code stdout}. */
  ACCESS_LOG("VAULT_ACCESS_LOG", "none"),
  /** Whether the trace context of callers is forwarded to destinations. */
  PROXY_TRACE_CONTEXT("VAULT_PROXY_TRACE_CONTEXT", "false");

  /** Prefix of all names. Unknown names with this prefix are rejected. */
  public static final String PREFIX = "VAULT_";

  private static final String FILE_SUFFIX = "_FILE";

  private final String variable;
  private final String defaultValue;

  /** The least and the greatest value of a setting that is a number. */
  final long min;

  final long max;

  Setting(String variable, String defaultValue) {
    this(variable, defaultValue, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Creates a setting that is a whole number within inclusive bounds. */
  Setting(String variable, String defaultValue, long min, long max) {
    this.variable = variable;
    this.defaultValue = defaultValue;
    this.min = min;
    this.max = max;
  }

  /** Returns the name in the environment and in the properties file. */
  public String variable() {
    return variable;
  }

  /** Returns the default as text; empty if there is none or it depends on the machine. */
  public Optional<String> defaultValue() {
    return Optional.ofNullable(defaultValue);
  }

  /**
   * Returns whether the value must not be shown. Such a setting can also name a file that holds it.
   */
  public boolean isSecret() {
    return switch (this) {
      case DATABASE_PASSWORD,
          DATABASE_OWNER_PASSWORD,
          EGRESS_KEYSTORE_PASSWORD,
          EGRESS_HTTP_PROXY ->
          true;
      default -> false;
    };
  }

  /** Returns the name of the variant that gives a file with the value, for secret settings only. */
  public String fileVariable() {
    return variable + FILE_SUFFIX;
  }

  /** Returns whether a name is that of this setting or, if it is secret, of its file variant. */
  public boolean isNamed(String name) {
    return variable.equals(name) || (isSecret() && fileVariable().equals(name));
  }

  /** Returns whether a name is that of a setting or of its file variant. */
  static boolean isKnown(String name) {
    return Arrays.stream(values()).anyMatch(setting -> setting.isNamed(name));
  }
}
