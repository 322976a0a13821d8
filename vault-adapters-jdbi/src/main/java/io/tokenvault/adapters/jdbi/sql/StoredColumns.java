package io.tokenvault.adapters.jdbi.sql;

/**
 * The columns to select for a {@link StoredRow} of each kind of record. All kinds have identical
 * column names and types, so that one statement can return several kinds by {@code UNION ALL}.
 *
 * <p>Columns that a kind lacks are typed NULLs. Constants that end in {@code _WITHIN_ROOM} leave
 * out large columns if they exceed the parameter {@code :room}, and add their total size as {@code
 * weight}; see {@link Database#readReserved}.
 */
public final class StoredColumns {

  /**
   * Excludes expired rows in reads: compares with the start of the transaction, so that all parts
   * of a statement agree.
   */
  public static final String UNEXPIRED = "(expires_at IS NULL OR expires_at > now())";

  /**
   * Excludes expired rows in changes: compares with the current time, since the statement may have
   * waited for a lock.
   */
  public static final String STILL_UNEXPIRED =
      "(expires_at IS NULL OR expires_at > clock_timestamp())";

  /** All columns of an application. */
  public static final String APPLICATION = application("rules::text");

  /** Size of the access rules of all rows together, in bytes. */
  private static final String APPLICATION_WEIGHT = "sum(octet_length(rules::text)) OVER ()";

  /**
   * An application without access rules if those of all rows together exceed {@code :room} bytes.
   */
  public static final String APPLICATION_WITHIN_ROOM =
      application(within(APPLICATION_WEIGHT, "rules::text"))
          + ", "
          + APPLICATION_WEIGHT
          + " AS weight";

  /** All columns of a proxy. */
  public static final String PROXY =
      proxy("key", "configuration", "request_transform", "response_transform");

  /** Size of the encrypted columns of all rows together, in bytes, without reading them. */
  private static final String PROXY_WEIGHT =
      "sum(octet_length(key) + octet_length(configuration)"
          + " + coalesce(octet_length(request_transform), 0)"
          + " + coalesce(octet_length(response_transform), 0)) OVER ()";

  /** A proxy without encrypted columns if those of all rows together exceed {@code :room} bytes. */
  public static final String PROXY_WITHIN_ROOM =
      proxy(
              within(PROXY_WEIGHT, "key"),
              within(PROXY_WEIGHT, "configuration"),
              within(PROXY_WEIGHT, "request_transform"),
              within(PROXY_WEIGHT, "response_transform"))
          + ", "
          + PROXY_WEIGHT
          + " AS weight";

  /**
   * All columns of a token. A short-lived part that has expired is not read, even if it is not
   * deleted yet.
   */
  public static final String TOKEN =
      token(
          "data",
          "CASE WHEN short_lived_until > clock_timestamp() THEN short_lived END",
          "expressions",
          "metadata::text");

  /** Size of one token's metadata and encrypted columns, in bytes, without reading the latter. */
  public static final String TOKEN_SIZE =
      "octet_length(data) + coalesce(octet_length(short_lived), 0)"
          + " + coalesce(octet_length(expressions), 0) + octet_length(metadata::text)";

  /** Size of the metadata and encrypted columns of all rows together, in bytes. */
  private static final String TOKEN_WEIGHT = "sum(" + TOKEN_SIZE + ") OVER ()";

  /**
   * A token without metadata and encrypted columns if those of all rows together exceed {@code
   * :room} bytes.
   */
  public static final String TOKEN_WITHIN_ROOM =
      token(
              within(TOKEN_WEIGHT, "data"),
              within(
                  TOKEN_WEIGHT,
                  "CASE WHEN short_lived_until > clock_timestamp() THEN short_lived END"),
              within(TOKEN_WEIGHT, "expressions"),
              within(TOKEN_WEIGHT, "metadata::text"))
          + ", "
          + TOKEN_WEIGHT
          + " AS weight";

  /** A token with its metadata and without encrypted columns. */
  public static final String TOKEN_WITHOUT_DATA =
      token("NULL::bytea", "NULL::bytea", "NULL::bytea", "metadata::text");

  /** No record: NULL for each column, with the types that a union needs. */
  public static final String NOTHING =
      """
      NULL::uuid AS tenant_id, NULL::text AS id, NULL::text AS type, NULL::text AS name,
      NULL::text[] AS texts, NULL::text AS json, NULL::boolean AS flag, NULL::text AS url,
      NULL::uuid AS other_id, NULL::timestamptz AS expires_at, NULL::uuid AS created_by,
      NULL::timestamptz AS created_at, NULL::uuid AS modified_by,
      NULL::timestamptz AS modified_at, NULL::bigint AS version,
      NULL::bytea AS sealed, NULL::integer AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version,
      NULL::bytea AS fourth, NULL::integer AS fourth_version, NULL::text AS fingerprint,
      NULL::integer AS millis, NULL::boolean AS second_flag
      """;

  /** A wrapped key of a tenant. */
  public static final String TENANT_KEY =
      """
      tenant_id, NULL::text AS id, purpose AS type, NULL::text AS name, NULL::text[] AS texts,
      NULL::text AS json, NULL::boolean AS flag, NULL::text AS url, NULL::uuid AS other_id,
      NULL::timestamptz AS expires_at, NULL::uuid AS created_by, created_at,
      NULL::uuid AS modified_by, NULL::timestamptz AS modified_at, NULL::bigint AS version,
      wrapped AS sealed, version AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version,
      NULL::bytea AS fourth, NULL::integer AS fourth_version, NULL::text AS fingerprint,
      NULL::integer AS millis, NULL::boolean AS second_flag
      """;

  /**
   * A tenant's egress policy, with its container bindings as strings of container, space and host.
   */
  public static final String EGRESS =
      """
      tenant_id, NULL::text AS id, NULL::text AS type, NULL::text AS name,
      ARRAY (
        SELECT container || ' ' || host FROM container_binding
        WHERE container_binding.tenant_id = tenant.tenant_id) AS texts,
      NULL::text AS json, url_header AS flag, NULL::text AS url, NULL::uuid AS other_id,
      NULL::timestamptz AS expires_at, NULL::uuid AS created_by, created_at,
      NULL::uuid AS modified_by, NULL::timestamptz AS modified_at, egress_version AS version,
      NULL::bytea AS sealed, NULL::integer AS sealed_version,
      NULL::bytea AS second, NULL::integer AS second_version,
      NULL::bytea AS third, NULL::integer AS third_version,
      NULL::bytea AS fourth, NULL::integer AS fourth_version, NULL::text AS fingerprint,
      NULL::integer AS millis, unbound_by_url AS second_flag
      """;

  private StoredColumns() {}

  /** Returns a column only if the weight is at most {@code :room}. */
  private static String within(String weight, String column) {
    return "CASE WHEN :room >= " + weight + " THEN " + column + " END";
  }

  /** Returns the columns of an application, with an expression for its access rules. */
  private static String application(String rules) {
    return """
    tenant_id, application_id::text AS id, type, name, permissions AS texts, %s AS json,
    can_create_expiring AS flag, NULL::text AS url, delegated_by AS other_id, expires_at,
    created_by, created_at, modified_by, modified_at, version,
    NULL::bytea AS sealed, NULL::integer AS sealed_version,
    NULL::bytea AS second, NULL::integer AS second_version,
    NULL::bytea AS third, NULL::integer AS third_version,
    NULL::bytea AS fourth, NULL::integer AS fourth_version, NULL::text AS fingerprint,
    NULL::integer AS millis, NULL::boolean AS second_flag
    """
        .formatted(rules);
  }

  /** Returns the columns of a proxy, with expressions for its encrypted columns. */
  private static String proxy(
      String key, String configuration, String requestTransform, String responseTransform) {
    return """
    tenant_id, proxy_id::text AS id, client_certificate AS type, name,
    ARRAY[request_transform_compiler, response_transform_compiler] AS texts,
    NULL::text AS json, require_auth AS flag, destination_url AS url,
    application_id AS other_id, NULL::timestamptz AS expires_at,
    created_by, created_at, modified_by, modified_at, version,
    %s AS sealed, key_version AS sealed_version,
    %s AS second, configuration_key_version AS second_version,
    %s AS third, request_transform_key_version AS third_version,
    %s AS fourth, response_transform_key_version AS fourth_version,
    NULL::text AS fingerprint,
    timeout_ms AS millis, NULL::boolean AS second_flag
    """
        .formatted(key, configuration, requestTransform, responseTransform);
  }

  /**
   * Returns the columns of a token, with expressions for its encrypted columns and its metadata.
   */
  private static String token(String data, String shortLived, String expressions, String metadata) {
    return """
    tenant_id, token_id AS id, type, NULL::text AS name, containers AS texts,
    %s AS json, NULL::boolean AS flag, NULL::text AS url, NULL::uuid AS other_id,
    expires_at, created_by, created_at, modified_by, modified_at, version,
    %s AS sealed, key_version AS sealed_version,
    %s AS second, short_lived_key_version AS second_version,
    %s AS third, expressions_key_version AS third_version,
    NULL::bytea AS fourth, NULL::integer AS fourth_version, fingerprint,
    NULL::integer AS millis, NULL::boolean AS second_flag
    """
        .formatted(metadata, data, shortLived, expressions);
  }
}
