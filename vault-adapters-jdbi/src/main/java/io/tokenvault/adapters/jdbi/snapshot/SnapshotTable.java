package io.tokenvault.adapters.jdbi.snapshot;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * A table as a snapshot has it. What is in no snapshot: what migrations note of themselves, and the
 * nodes that are alive.
 *
 * @param columns in an order that any database of this schema has them in
 * @param parents tables whose rows have to be there first
 */
record SnapshotTable(String name, List<String> columns, List<String> parents) {

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

  /** All of the schema, each after those that it refers to. */
  static List<SnapshotTable> list(Handle handle) {
    List<SnapshotTable> left =
        new ArrayList<>(handle.createQuery(FIND).map(SnapshotTable::read).list());
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

  private static SnapshotTable read(ResultSet row, StatementContext context) throws SQLException {
    return new SnapshotTable(row.getString("name"), texts(row, "columns"), texts(row, "parents"));
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    return Arrays.asList((String[]) row.getArray(column).getArray());
  }

  String copyOut() {
    return "COPY (SELECT " + columnList() + " FROM " + quoted(name) + ") TO STDOUT (FORMAT binary)";
  }

  String copyIn() {
    return "COPY " + quoted(name) + " (" + columnList() + ") FROM STDIN (FORMAT binary)";
  }

  /** Of partitioned tables too, their partitions. */
  String analyze() {
    return "ANALYZE " + quoted(name);
  }

  boolean isEmpty(Handle handle) {
    return handle
        .createQuery("SELECT NOT EXISTS (SELECT FROM " + quoted(name) + ")")
        .mapTo(Boolean.class)
        .one();
  }

  private String columnList() {
    return columns.stream().map(SnapshotTable::quoted).collect(Collectors.joining(", "));
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
