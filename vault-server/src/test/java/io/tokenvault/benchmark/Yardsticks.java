package io.tokenvault.benchmark;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.benchmark.program.Database;
import io.tokenvault.benchmark.program.PgBench;
import io.tokenvault.benchmark.program.Workspace;

/** Tables of the size of tokens in the vault's database, which pgbench reads and fills. */
final class Yardsticks {

  /** As much as a token's own row holds, in all. */
  private static final int ROW_BYTES = 300;

  private final Workspace workspace;
  private final EmbeddedPostgres postgres;
  private final int rows;

  private Yardsticks(Workspace workspace, EmbeddedPostgres postgres, int rows) {
    this.workspace = workspace;
    this.postgres = postgres;
    this.rows = rows;
  }

  /**
   * @param rows how many there are to be read
   */
  static Yardsticks prepare(Workspace workspace, Database database, int rows) {
    database.execute(
        """
        CREATE SCHEMA benchmark;
        CREATE TABLE benchmark.read (id integer PRIMARY KEY, content text NOT NULL);
        INSERT INTO benchmark.read SELECT id, repeat('x', %1$d) FROM generate_series(1, %2$d) AS id;
        CREATE TABLE benchmark.written (id bigserial PRIMARY KEY, content text NOT NULL);
        ANALYZE benchmark.read"""
            .formatted(ROW_BYTES, rows));
    return new Yardsticks(workspace, database.postgres(), rows);
  }

  /** One row by its primary key. */
  PgBench select() {
    return new PgBench(
        "select",
        workspace,
        postgres,
        "\\set row random(1, " + rows + ")\nSELECT * FROM benchmark.read WHERE id = :row;\n");
  }

  /** One row and its commit. */
  PgBench insert() {
    return new PgBench(
        "insert",
        workspace,
        postgres,
        "INSERT INTO benchmark.written (content) VALUES ('" + "x".repeat(ROW_BYTES) + "');\n");
  }
}
