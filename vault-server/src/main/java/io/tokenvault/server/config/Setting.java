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
  CONFIG_FILE("VAULT_CONFIG_FILE", null),
  PORT("VAULT_PORT", "8080"),
  HOST("VAULT_HOST", "127.0.0.1"),
  DATA_DIR("VAULT_DATA_DIR", "./data"),
  DATABASE_URL("VAULT_DATABASE_URL", null),
  DATABASE_USER("VAULT_DATABASE_USER", null),
  DATABASE_PASSWORD("VAULT_DATABASE_PASSWORD", null),
  DATABASE_OWNER_USER("VAULT_DATABASE_OWNER_USER", null),
  DATABASE_OWNER_PASSWORD("VAULT_DATABASE_OWNER_PASSWORD", null),
  DATABASE_POOL_SIZE("VAULT_DATABASE_POOL_SIZE", "10"),
  DATABASE_CONNECT_TIMEOUT_MS("VAULT_DATABASE_CONNECT_TIMEOUT_MS", "5000"),
  DATABASE_STATEMENT_TIMEOUT_MS("VAULT_DATABASE_STATEMENT_TIMEOUT_MS", "10000"),
  DATABASE_POOL_TIMEOUT_MS("VAULT_DATABASE_POOL_TIMEOUT_MS", "3000"),
  DATABASE_WAIT_SECONDS("VAULT_DATABASE_WAIT_SECONDS", "30"),
  AUDIT_STREAM("VAULT_AUDIT_STREAM", "none"),
  AUDIT_CHECKPOINTS("VAULT_AUDIT_CHECKPOINTS", "none"),
  AUDIT_CHECKPOINT_SECONDS("VAULT_AUDIT_CHECKPOINT_SECONDS", "60"),
  MASTER_KEYSET_FILE("VAULT_MASTER_KEYSET_FILE", null),
  CARD_CVC_LIFETIME_SECONDS("VAULT_CARD_CVC_LIFETIME_SECONDS", null),
  MASTER_KEY_URI("VAULT_MASTER_KEY_URI", null),
  TLS_CERT_FILE("VAULT_TLS_CERT_FILE", null),
  TLS_KEY_FILE("VAULT_TLS_KEY_FILE", null),
  PLAIN_HTTP("VAULT_PLAIN_HTTP", "false"),
  SHUTDOWN_DELAY_MS("VAULT_SHUTDOWN_DELAY_MS", "0"),
  MAX_REQUESTS("VAULT_MAX_REQUESTS", "512"),
  MIN_BODY_RATE("VAULT_MIN_BODY_RATE", "240"),
  API_MEMORY_BYTES("VAULT_API_MEMORY_BYTES", null),
  CORS_ALLOWED_ORIGINS("VAULT_CORS_ALLOWED_ORIGINS", null),
  HEADER_PREFIX("VAULT_HEADER_PREFIX", "SVC-"),
  EGRESS_CA_FILE("VAULT_EGRESS_CA_FILE", null),
  EGRESS_PRIVATE_HOSTS("VAULT_EGRESS_PRIVATE_HOSTS", null),
  EGRESS_HOST_OVERRIDES("VAULT_EGRESS_HOST_OVERRIDES", null),
  EGRESS_ALLOWED_HOSTS("VAULT_EGRESS_ALLOWED_HOSTS", null),
  EGRESS_KEYSTORE_FILE("VAULT_EGRESS_KEYSTORE_FILE", null),
  EGRESS_KEYSTORE_PASSWORD("VAULT_EGRESS_KEYSTORE_PASSWORD", null),
  EGRESS_HTTP_PROXY("VAULT_EGRESS_HTTP_PROXY", null),
  PROXY_CONNECT_TIMEOUT_MS("VAULT_PROXY_CONNECT_TIMEOUT_MS", "10000"),
  PROXY_ANSWER_TIMEOUT_MS("VAULT_PROXY_ANSWER_TIMEOUT_MS", "30000"),
  PROXY_IDLE_TIMEOUT_MS("VAULT_PROXY_IDLE_TIMEOUT_MS", "60000"),
  PROXY_DESTINATION_REQUESTS("VAULT_PROXY_DESTINATION_REQUESTS", "384"),
  PROXY_HELD_BODY_BYTES("VAULT_PROXY_HELD_BODY_BYTES", "10485760"),
  PROXY_KEPT_ANSWERS("VAULT_PROXY_KEPT_ANSWERS", "status"),
  PROXY_HELD_BODIES_BYTES("VAULT_PROXY_HELD_BODIES_BYTES", null),
  TRANSFORM_WORKERS("VAULT_TRANSFORM_WORKERS", null),
  TRANSFORM_SPARE_WORKERS("VAULT_TRANSFORM_SPARE_WORKERS", "1"),
  TRANSFORM_COMPILERS("VAULT_TRANSFORM_COMPILERS", "1"),
  TRANSFORM_COMPILE_CPU_MS("VAULT_TRANSFORM_COMPILE_CPU_MS", "15000"),
  TRANSFORM_QUEUE("VAULT_TRANSFORM_QUEUE", "64"),
  TRANSFORM_QUEUE_WAIT_MS("VAULT_TRANSFORM_QUEUE_WAIT_MS", "10000"),
  TRANSFORM_ISOLATION("VAULT_TRANSFORM_ISOLATION", "preferred"),
  TRANSFORM_CPU_MS("VAULT_TRANSFORM_CPU_MS", "5000"),
  TRANSFORM_TIMEOUT_MS("VAULT_TRANSFORM_TIMEOUT_MS", "10000"),
  TRANSFORM_MEMORY_MIB("VAULT_TRANSFORM_MEMORY_MIB", "64"),
  TRANSFORM_ALLOCATION_MIB("VAULT_TRANSFORM_ALLOCATION_MIB", "4096"),
  TRANSFORM_INSTRUCTIONS("VAULT_TRANSFORM_INSTRUCTIONS", "1000000000"),
  TRANSFORM_BODY_BYTES("VAULT_TRANSFORM_BODY_BYTES", "10485760"),
  TRANSFORM_CALLS("VAULT_TRANSFORM_CALLS", "100"),
  TRANSFORM_MODULES_DIR("VAULT_TRANSFORM_MODULES_DIR", null),
  TRANSFORM_MODULE_ALIASES("VAULT_TRANSFORM_MODULE_ALIASES", null),

  APPLICATION_RATE_PER_MINUTE("VAULT_APPLICATION_RATE_PER_MINUTE", null),
  APPLICATION_RATE_BURST("VAULT_APPLICATION_RATE_BURST", null),
  ANONYMOUS_RATE_PER_MINUTE("VAULT_ANONYMOUS_RATE_PER_MINUTE", null),
  ANONYMOUS_RATE_BURST("VAULT_ANONYMOUS_RATE_BURST", null),

  // For operators.
  ADMIN_PORT("VAULT_ADMIN_PORT", null),
  ADMIN_HOST("VAULT_ADMIN_HOST", "127.0.0.1"),
  LOG_FORMAT("VAULT_LOG_FORMAT", "plain"),
  PROXY_TRACE_CONTEXT("VAULT_PROXY_TRACE_CONTEXT", "false");

  /** Prefix of all names. Unknown names with this prefix are rejected. */
  public static final String PREFIX = "VAULT_";

  private static final String FILE_SUFFIX = "_FILE";

  private final String variable;
  private final String defaultValue;

  Setting(String variable, String defaultValue) {
    this.variable = variable;
    this.defaultValue = defaultValue;
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

  /** Returns whether a name is that of a setting or of its file variant. */
  static boolean isKnown(String name) {
    return Arrays.stream(values())
        .anyMatch(
            setting ->
                setting.variable.equals(name)
                    || (setting.isSecret() && setting.fileVariable().equals(name)));
  }
}
