package io.tokenvault.benchmark;

import io.tokenvault.server.environment.DatabaseAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Fills tables with copies of a row that the vault wrote, with different keys and times. */
final class TableFiller {

  /** The number of past months with audit entries, each of which has a partition. */
  private static final int MONTHS = 2;

  private static final String COLUMNS =
      """
      SELECT quote_ident(column_name) FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = '%s' AND is_generated = 'NEVER'
      ORDER BY ordinal_position""";

  private final DatabaseAddress database;

  TableFiller(DatabaseAddress database) {
    this.database = database;
  }

  /** Adds tokens of the first tenant, whose data cannot be decrypted. */
  void addTokens(int count) {
    String id = "'bulk-' || gen_random_uuid()";
    copy(
        "token",
        "",
        count,
        Map.of(
            "token_id", id,
            "version", "nextval('token_version')",
            "fingerprint", "md5(n::text || random())",
            "search_indexes", "ARRAY[md5(n::text || random())]",
            "created_at", "now() - n * interval '1 second'"));
    database.select("VACUUM (ANALYZE) token");
  }

  /** Adds audit entries of the first tenant, for a thousand entity ids. */
  void addEntries(int count) {
    addPartitions();
    String since = "date_trunc('month', now()) - interval '" + MONTHS + " months'";
    copy(
        "audit_entry",
        "WHERE message = 'Token used'",
        count,
        Map.of(
            "created_at",
                since + " + (now() - (" + since + ")) * (n::double precision / " + count + ")",
            "sequence", "nextval('audit_entry_sequence')",
            "entity_type",
                "CASE WHEN n % 10000 = 0 THEN 'bank' WHEN n % 3 = 0 THEN 'proxy' ELSE 'token' END",
            "entity_id", "'bulk-' || n % 1000"));
    database.select("VACUUM (ANALYZE) audit_entry");
  }

  private void addPartitions() {
    for (int monthsAgo = 1; monthsAgo <= MONTHS; monthsAgo++) {
      database.select(
          """
          DO $$
          DECLARE
            month timestamp :=
              date_trunc('month', now() AT TIME ZONE 'UTC') - interval '%d months';
          BEGIN
            EXECUTE format(
              'CREATE TABLE IF NOT EXISTS %%I PARTITION OF audit_entry FOR VALUES FROM (%%L) TO (%%L)',
              'audit_entry_' || to_char(month, 'YYYY_MM'),
              month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
          END $$"""
              .formatted(monthsAgo));
    }
  }

  private void copy(String table, String where, int count, Map<String, String> changedColumns) {
    List<String> columns = database.select(COLUMNS.formatted(table));
    String values =
        columns.stream()
            .map(column -> changedColumns.getOrDefault(column, "model." + column))
            .collect(Collectors.joining(", "));
    database.select(
        "INSERT INTO %s (%s) SELECT %s FROM (SELECT * FROM %s %s LIMIT 1) AS model, generate_series(1, %d) AS n"
            .formatted(table, String.join(", ", columns), values, table, where, count));
  }
}
