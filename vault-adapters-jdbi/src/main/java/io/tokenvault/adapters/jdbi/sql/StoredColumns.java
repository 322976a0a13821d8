package io.tokenvault.adapters.jdbi.sql;

/**
 * What is selected for a {@link StoredRow} of each kind. All kinds have one shape, so that one
 * statement can bring several.
 */
public final class StoredColumns {

  public static final String APPLICATION = application("rules::text");

  private static final String APPLICATION_WEIGHT = "sum(octet_length(rules::text)) OVER ()";

  /** Without access rules, if they are more than {@code :room} for all rows together. */
  public static final String APPLICATION_WITHIN_ROOM =
      application(within(APPLICATION_WEIGHT, "rules::text"))
          + ", "
          + APPLICATION_WEIGHT
          + " AS weight";

  public static final String PROXY =
      proxy("key", "configuration", "request_transform", "response_transform");

  /** Of all that is sealed of the rows together; does not read it. */
  private static final String PROXY_WEIGHT =
      "sum(octet_length(key) + octet_length(configuration)"
          + " + coalesce(octet_length(request_transform), 0)"
          + " + coalesce(octet_length(response_transform), 0)) OVER ()";

  /** With nothing that is sealed, if that is more than {@code :room} for all rows together. */
  public static final String PROXY_WITHIN_ROOM =
      proxy(
              within(PROXY_WEIGHT, "key"),
              within(PROXY_WEIGHT, "configuration"),
              within(PROXY_WEIGHT, "request_transform"),
              within(PROXY_WEIGHT, "response_transform"))
          + ", "
          + PROXY_WEIGHT
          + " AS weight";

  /** A short-lived part whose time has come is not read, whether it is still there or not. */
  public static final String TOKEN =
      token(
          "data",
          "CASE WHEN short_lived_until > clock_timestamp() THEN short_lived END",
          "expressions",
          "metadata::text");

  /** Of metadata and all that is sealed of one; does not read what is sealed. */
  public static final String TOKEN_SIZE =
      "octet_length(data) + coalesce(octet_length(short_lived), 0)"
          + " + coalesce(octet_length(expressions), 0) + octet_length(metadata::text)";

  private static final String TOKEN_WEIGHT = "sum(" + TOKEN_SIZE + ") OVER ()";

  /**
   * Without metadata and with nothing that is sealed, if that is more than {@code :room} for all
   * rows together.
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

  public static final String TOKEN_WITHOUT_DATA =
      token("NULL::bytea", "NULL::bytea", "NULL::bytea", "metadata::text");

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

  private static String within(String weight, String column) {
    return "CASE WHEN :room >= " + weight + " THEN " + column + " END";
  }

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
