package io.tokenvault.adapters.jdbi.key;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.EncryptedFields.StoredField;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All encrypted columns of the schema, for the rotation of data keys. Fields are visited column by
 * column, so that a rotation can continue after an interruption.
 *
 * <p>A column that holds ciphertext of a data key must be listed here; otherwise a rotation would
 * retire a key that is still needed.
 */
public final class JdbiEncryptedFields implements EncryptedFields {

  /** All encrypted columns, in the order in which they are visited. */
  private static final List<Column> COLUMNS =
      List.of(
          new Column("token", "data", "token_id", "data", "key_version"),
          new Column(
              "token", "short_lived_data", "token_id", "short_lived", "short_lived_key_version"),
          new Column("token", "expressions", "token_id", "expressions", "expressions_key_version"),
          new Column("proxy", "key", "proxy_id", "key", "key_version"),
          new Column(
              "proxy", "configuration", "proxy_id", "configuration", "configuration_key_version"),
          transform(TransformKind.REQUEST),
          transform(TransformKind.RESPONSE),
          new Column("keyed_request", "answer", "request_id", "answer", "answer_key_version"));

  /** Counts a tenant's encrypted fields by the version of their data key. */
  private static final String COUNTS =
      "SELECT key_version, sum(fields)::bigint AS fields FROM ("
          + union(COLUMNS.stream().map(Column::count))
          + ") AS counted GROUP BY key_version";

  private final Database database;

  /** Creates the store. */
  public JdbiEncryptedFields(Database database) {
    this.database = database;
  }

  /** Returns the column of a proxy's transform. */
  private static Column transform(TransformKind kind) {
    return new Column(
        "proxy", kind.property(), "proxy_id", kind.property(), kind.property() + "_key_version");
  }

  private static String union(Stream<String> queries) {
    return queries.collect(Collectors.joining(" UNION ALL "));
  }

  @Override
  public List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<FieldBinding> after, int limit) {
    return database.run(
        handle ->
            handle
                .createQuery(stale(after))
                .bind("after", after.map(FieldBinding::recordId).orElse(null))
                .bind("tenant", tenantId.value())
                .bind("current", currentVersion)
                .bind("limit", limit)
                .map((row, context) -> read(tenantId, row))
                .list());
  }

  /**
   * Returns the statement that visits the columns one after the other, each in the order of the
   * records' ids.
   *
   * @param after the last field that was visited; empty to start with the first column
   */
  private static String stale(Optional<FieldBinding> after) {
    int first = after.map(JdbiEncryptedFields::column).map(COLUMNS::indexOf).orElse(0);
    return "SELECT * FROM ("
        + union(
            IntStream.range(first, COLUMNS.size())
                .mapToObj(i -> COLUMNS.get(i).stale(i, after.isPresent() && i == first)))
        + ") AS stale ORDER BY place, id LIMIT :limit";
  }

  /** Reads a field with the binding that its encryption authenticates. */
  private static StoredField read(TenantId tenantId, ResultSet row) throws SQLException {
    return new StoredField(
        new FieldBinding(
            tenantId, row.getString("kind"), row.getString("id"), row.getString("field")),
        new EncryptedValue(row.getInt("key_version"), row.getBytes("ciphertext")));
  }

  @Override
  public boolean replace(StoredField from, EncryptedValue to) {
    // Comparing the old ciphertext keeps a change that was committed meanwhile.
    FieldBinding field = from.field();
    return database.run(
        handle ->
            handle
                    .createUpdate(column(field).replace())
                    .bind("tenant", field.tenantId().value())
                    .bind("id", field.recordId())
                    .bind("fromVersion", from.encrypted().keyVersion())
                    .bind("from", from.encrypted().ciphertext())
                    .bind("toVersion", to.keyVersion())
                    .bind("to", to.ciphertext())
                    .execute()
                > 0);
  }

  /**
   * Returns the column of a field.
   *
   * @throws IllegalArgumentException if there is none
   */
  private static Column column(FieldBinding field) {
    return COLUMNS.stream()
        .filter(each -> each.kind().equals(field.kind()) && each.field().equals(field.field()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such encrypted field is stored"));
  }

  @Override
  public Map<Integer, Long> countByVersion(TenantId tenantId) {
    return database.longChange(
        handle ->
            handle
                .createQuery(COUNTS)
                .bind("tenant", tenantId.value())
                .map((row, context) -> Map.entry(row.getInt("key_version"), row.getLong("fields")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * A column with encrypted values.
   *
   * @param kind the kind of record, which is also the name of its table
   * @param field the name of the field, as the encryption authenticates it
   * @param id the column of the record's id
   * @param value the column of the ciphertext
   * @param version the column of the data key's version
   */
  private record Column(String kind, String field, String id, String value, String version) {

    /**
     * Returns the query for fields that are encrypted with an outdated key.
     *
     * @param place the place of this column in the order of the visit
     * @param isReached whether the visit continues within this column, after {@code :after}
     */
    String stale(int place, boolean isReached) {
      return """
      (SELECT %6$d AS place, '%1$s' AS kind, '%2$s' AS field, %3$s::text COLLATE "C" AS id,
              %4$s AS ciphertext, %5$s AS key_version
       FROM %1$s
       WHERE tenant_id = :tenant AND %5$s < :current AND %4$s IS NOT NULL %7$s
       ORDER BY %3$s
       LIMIT :limit)
      """
          .formatted(
              kind,
              field,
              id,
              value,
              version,
              place,
              isReached ? "AND " + id + " > " + parameter("after") : "");
    }

    /** Returns a parameter of the id's type: token ids are strings, all others UUIDs. */
    private String parameter(String name) {
      return kind.equals("token") ? ":" + name : ":" + name + "::uuid";
    }

    /** Returns the query that counts this column's fields by key version. */
    String count() {
      return """
      (SELECT %5$s AS key_version, count(*) AS fields
       FROM %1$s
       WHERE tenant_id = :tenant AND %4$s IS NOT NULL
       GROUP BY %5$s)
      """
          .formatted(kind, field, id, value, version);
    }

    /** Returns the statement that replaces a field unless it was changed meanwhile. */
    String replace() {
      return """
      UPDATE %1$s
      SET %4$s = :to, %5$s = :toVersion
      WHERE tenant_id = :tenant AND %3$s = %6$s
        AND %4$s = :from AND %5$s = :fromVersion
      """
          .formatted(kind, field, id, value, version, parameter("id"));
    }
  }
}
