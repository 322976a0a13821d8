package io.tokenvault.adapters.jdbi.snapshot;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * A table in a snapshot. Snapshots contain neither the history of migrations nor the nodes that are
 * alive, since both describe the database and not its content.
 *
 * @param name the name of the table
 * @param columns its columns, in an order that is identical in all databases with this schema
 * @param parents the tables whose rows must be inserted first
 */
record SnapshotTable(String name, List<String> columns, List<String> parents) {

  /**
   * Selects all tables with their columns in alphabetical order and the tables that they refer to.
   * Partitions and generated columns are omitted.
   */
  private static final String FIND =
      """
      SELECT relname AS name,
        ARRAY(SELECT attname::text FROM pg_attribute
              WHERE attrelid = relation.oid AND attnum > 0
                AND NOT attisdropped AND attgenerated = ''
              ORDER BY attname COLLATE "C") AS columns,
        ARRAY(SELECT DISTINCT confrelid::regclass::text FROM pg_constraint
              WHERE conrelid = relation.oid AND contype = 'f' AND confrelid <> conrelid) AS parents
      FROM pg_class AS relation
      WHERE relnamespace = current_schema()::regnamespace
        AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname NOT IN ('vault_schema_history', 'flyway_schema_history', 'node_keyset')
      ORDER BY relname COLLATE "C"
      """;

  SnapshotTable {
    columns = List.copyOf(columns);
    parents = List.copyOf(parents);
  }

  /**
   * Returns all tables of the schema, each after those that it refers to.
   *
   * @throws IllegalStateException if tables refer to each other in a cycle
   */
  static List<SnapshotTable> list(Handle handle) {
    List<SnapshotTable> left =
        handle
            .createQuery(FIND)
            .map(
                (row, context) ->
                    new SnapshotTable(
                        row.getString("name"), texts(row, "columns"), texts(row, "parents")))
            .toCollection(ArrayList::new);
    List<SnapshotTable> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      List<String> waiting = left.stream().map(SnapshotTable::name).toList();
      List<SnapshotTable> next =
          left.stream()
              .filter(each -> each.parents().stream().noneMatch(waiting::contains))
              .toList();
      if (next.isEmpty()) {
        throw new IllegalStateException("tables refer to each other in a circle");
      }
      ordered.addAll(next);
      left.removeAll(next);
    }
    return ordered;
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return Arrays.asList((String[]) row.getArray(column).getArray());
  }

  /** Returns the statement that exports all rows in PostgreSQL's binary format. */
  String copyOut() {
    return "COPY (SELECT " + columnList() + " FROM " + quoted(name) + ") TO STDOUT (FORMAT binary)";
  }

  /** Returns the statement that imports rows in PostgreSQL's binary format. */
  String copyIn() {
    return "COPY " + quoted(name) + " (" + columnList() + ") FROM STDIN (FORMAT binary)";
  }

  /** Returns the statement that gathers statistics, including those of partitions. */
  String analyze() {
    return "ANALYZE " + quoted(name);
  }

  /** Returns whether the table has no row. */
  boolean isEmpty(Handle handle) {
    return handle
        .createQuery("SELECT NOT EXISTS (SELECT FROM " + quoted(name) + ")")
        .mapTo(Boolean.class)
        .one();
  }

  private String columnList() {
    return columns.stream().map(SnapshotTable::quoted).collect(Collectors.joining(", "));
  }

  /** Quotes an identifier for SQL. */
  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
