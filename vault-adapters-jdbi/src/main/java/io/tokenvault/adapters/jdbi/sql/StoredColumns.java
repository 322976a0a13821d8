package io.tokenvault.adapters.jdbi.sql;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The columns to select for each kind of record, which {@link StoredRows} reads. All kinds have
 * identical column names and types, so that one statement can return several kinds by {@code UNION
 * ALL}. Columns that a kind lacks are NULL.
 *
 * <p>Constants that end in {@code _WITHIN_RESERVATION} leave out large columns if they exceed the
 * parameter {@code :reserved}, and add their total size as {@code weight}; see {@link
 * Database#readReserved}.
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

  /** Separates columns here, since a comma also occurs within them. */
  private static final String SEPARATOR = ";\\s+";

  private static final String AS = " AS ";

  /** All columns as NULLs, with the types that a union needs. */
  private static final String NULLS =
      """
      NULL::uuid AS tenant_id; NULL::text AS id; NULL::text AS type; NULL::text AS name;
      NULL::text[] AS texts; NULL::text AS json; NULL::boolean AS flag; NULL::text AS url;
      NULL::uuid AS other_id; NULL::timestamptz AS expires_at; NULL::uuid AS created_by;
      NULL::timestamptz AS created_at; NULL::uuid AS modified_by;
      NULL::timestamptz AS modified_at; NULL::bigint AS version;
      NULL::bytea AS encrypted; NULL::integer AS encrypted_version;
      NULL::bytea AS encrypted_2; NULL::integer AS encrypted_2_version;
      NULL::bytea AS encrypted_3; NULL::integer AS encrypted_3_version;
      NULL::bytea AS encrypted_4; NULL::integer AS encrypted_4_version; NULL::text AS fingerprint;
      NULL::integer AS millis; NULL::boolean AS flag_2;
      """;

  /** The columns whose size has no small limit. */
  private static final Set<String> LARGE =
      Set.of("json", "encrypted", "encrypted_2", "encrypted_3", "encrypted_4");

  private static final String PROVENANCE =
      "created_by; created_at; modified_by; modified_at; version; ";

  private static final String OF_APPLICATION =
      PROVENANCE
          + """
          tenant_id; application_id::text AS id; type; name; permissions AS texts;
          rules::text AS json; can_create_expiring AS flag; delegated_by AS other_id; expires_at;
          """;

  private static final String OF_PROXY =
      PROVENANCE
          + """
          tenant_id; proxy_id::text AS id; client_certificate AS type; name;
          ARRAY[request_transform_compiler, response_transform_compiler] AS texts;
          require_auth AS flag; destination_url AS url; application_id AS other_id;
          key AS encrypted; key_version AS encrypted_version;
          configuration AS encrypted_2; configuration_key_version AS encrypted_2_version;
          request_transform AS encrypted_3; request_transform_key_version AS encrypted_3_version;
          response_transform AS encrypted_4; response_transform_key_version AS encrypted_4_version;
          timeout_ms AS millis;
          """;

  private static final String OF_TOKEN_WITHOUT_DATA =
      PROVENANCE
          + """
          tenant_id; token_id AS id; type; containers AS texts; metadata::text AS json; expires_at;
          fingerprint;
          """;

  // A short-lived part that has expired is not read, even if it is not deleted yet.
  private static final String OF_TOKEN =
      OF_TOKEN_WITHOUT_DATA
          + """
          data AS encrypted; key_version AS encrypted_version;
          CASE WHEN short_lived_until > clock_timestamp() THEN short_lived END AS encrypted_2;
          short_lived_key_version AS encrypted_2_version;
          expressions AS encrypted_3; expressions_key_version AS encrypted_3_version;
          """;

  /** All columns of an application. */
  public static final String APPLICATION = columns(OF_APPLICATION);

  /**
   * An application without access rules if those of all rows together exceed {@code :reserved}
   * bytes.
   */
  public static final String APPLICATION_WITHIN_RESERVATION =
      withinReservation(OF_APPLICATION, "octet_length(rules::text)");

  /** All columns of a proxy. */
  public static final String PROXY = columns(OF_PROXY);

  /**
   * A proxy without encrypted columns if those of all rows together exceed {@code :reserved} bytes.
   */
  public static final String PROXY_WITHIN_RESERVATION =
      withinReservation(
          OF_PROXY,
          "octet_length(key) + octet_length(configuration)"
              + " + coalesce(octet_length(request_transform), 0)"
              + " + coalesce(octet_length(response_transform), 0)");

  /** All columns of a token. */
  public static final String TOKEN = columns(OF_TOKEN);

  /** Size of one token's metadata and encrypted columns, in bytes, without reading the latter. */
  public static final String TOKEN_SIZE =
      "octet_length(data) + coalesce(octet_length(short_lived), 0)"
          + " + coalesce(octet_length(expressions), 0) + octet_length(metadata::text)";

  /**
   * A token without metadata and encrypted columns if those of all rows together exceed {@code
   * :reserved} bytes.
   */
  public static final String TOKEN_WITHIN_RESERVATION = withinReservation(OF_TOKEN, TOKEN_SIZE);

  /** A token with its metadata and without encrypted columns. */
  public static final String TOKEN_WITHOUT_DATA = columns(OF_TOKEN_WITHOUT_DATA);

  /** No record: NULL for each column. */
  public static final String NOTHING = columns("");

  /** A wrapped key of a tenant. */
  public static final String TENANT_KEY =
      columns("tenant_id; purpose AS type; wrapped AS encrypted; version AS encrypted_version");

  /**
   * A tenant's egress policy, with its container bindings as strings of container, space and host.
   */
  public static final String EGRESS =
      columns(
          """
          tenant_id; egress_version AS version; url_header AS flag; unbound_by_url AS flag_2;
          ARRAY (
            SELECT container || ' ' || host FROM container_binding
            WHERE container_binding.tenant_id = tenant.tenant_id) AS texts
          """);

  private StoredColumns() {}

  /** Returns all columns: those of one kind of record, and NULLs for the others. */
  private static String columns(String ofKind) {
    return columns(ofKind, UnaryOperator.identity());
  }

  /**
   * Returns all columns, without the large ones if those of all rows together exceed {@code
   * :reserved} bytes.
   *
   * @param size the size of the large columns of one row, without reading them
   */
  private static String withinReservation(String ofKind, String size) {
    String weight = "sum(" + size + ") OVER ()";
    String columns =
        columns(ofKind, large -> "CASE WHEN :reserved >= " + weight + " THEN " + large + " END");
    return columns + ", " + weight + " AS weight";
  }

  /**
   * Returns all columns.
   *
   * @param ofKind expressions with {@code AS} and the name of their column, or plain columns,
   *     separated by semicolons
   * @param limit restricts the expression of each large column
   * @throws IllegalStateException if a name is not that of a column, which would stay NULL
   */
  private static String columns(String ofKind, UnaryOperator<String> limit) {
    Map<String, String> byName = new LinkedHashMap<>();
    for (String column : NULLS.split(SEPARATOR)) {
      byName.put(name(column), column);
    }
    for (String column : ofKind.isEmpty() ? new String[0] : ofKind.split(SEPARATOR)) {
      String name = name(column);
      int end = column.lastIndexOf(AS);
      String limited =
          LARGE.contains(name) ? limit.apply(column.substring(0, end)) + AS + name : column;
      if (byName.replace(name, limited) == null) {
        throw new IllegalStateException("no column " + name);
      }
    }
    return String.join(", ", byName.values()) + "\n";
  }

  private static String name(String column) {
    int end = column.lastIndexOf(AS);
    return column.substring(end < 0 ? 0 : end + AS.length()).strip();
  }
}
