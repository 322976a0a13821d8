package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.PgBench;
import io.tokenvault.benchmark.program.Tool;
import io.tokenvault.benchmark.program.Workspace;
import io.tokenvault.benchmark.program.Wrk;
import io.tokenvault.benchmark.program.WrkRequest;
import io.tokenvault.server.place.DatabaseAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Compares reads and creations of tokens with pgbench on the same database. */
@Command(
    name = "tokens",
    description = "tokens read and created, compared with pgbench on the same database",
    mixinStandardHelpOptions = true)
final class TokensPart extends BenchmarkPart {

  private static final int CLIENTS = 32;

  /** The number of tokens from which each read picks one. */
  private static final int TOKENS = 2000;

  /** The size of a row of a token. */
  private static final int ROW_BYTES = 300;

  private static final String READ = "token read";
  private static final String CREATE = "token create";

  TokensPart() {
    super("Tokens read and created, and pgbench");
  }

  @Override
  void measure(TestBed stand) {
    Tool.PGBENCH.require();
    String url = stand.vault().url();
    Caller caller = stand.caller();
    Wrk read = Wrk.of("read", stand.workspace(), reads(caller, TOKENS), CLIENTS);
    Wrk create = Wrk.of("create", stand.workspace(), List.of(create(caller)), CLIENTS);
    DatabaseAddress database = stand.vault().database();
    createTables(database);
    PgBench select = select(stand.workspace(), database);
    PgBench insert = insert(stand.workspace(), database);
    new Comparison(report, options)
        .enter("pgbench select", seconds -> select.run(CLIENTS, seconds))
        .enter(READ, seconds -> read.run(url, seconds))
        .run()
        .tellRate(READ, "by CPU time at least 0.30, aim 0.4");
    new Comparison(report, options)
        .enter("pgbench insert", seconds -> insert.run(CLIENTS, seconds))
        .enter(CREATE, seconds -> create.run(url, seconds))
        .run()
        .tellRate(CREATE, "by CPU time at least 0.50, aim 0.6");
  }

  /** Creates tables in the vault's database for pgbench, with rows of the size of tokens. */
  private static void createTables(DatabaseAddress database) {
    database.select(
        """
        CREATE SCHEMA benchmark;
        CREATE TABLE benchmark.read (id integer PRIMARY KEY, content text NOT NULL);
        INSERT INTO benchmark.read SELECT id, repeat('x', %1$d) FROM generate_series(1, %2$d) AS id;
        CREATE TABLE benchmark.written (id bigserial PRIMARY KEY, content text NOT NULL);
        ANALYZE benchmark.read"""
            .formatted(ROW_BYTES, TOKENS));
  }

  /** Returns a benchmark that selects a row by its primary key. */
  private static PgBench select(Workspace workspace, DatabaseAddress database) {
    String sql = "\\set row random(1, %d)\nSELECT * FROM benchmark.read WHERE id = :row;\n";
    return new PgBench("select", workspace, database, sql.formatted(TOKENS));
  }

  /** Returns a benchmark that inserts a row and commits. */
  private static PgBench insert(Workspace workspace, DatabaseAddress database) {
    String sql = "INSERT INTO benchmark.written (content) VALUES ('%s');\n";
    return new PgBench("insert", workspace, database, sql.formatted("x".repeat(ROW_BYTES)));
  }

  /** Creates tokens and returns requests that reveal them. */
  static List<WrkRequest> reads(Caller caller, int tokens) {
    List<WrkRequest> reads = new ArrayList<>();
    Map<String, String> headers = Map.of("SVC-API-KEY", caller.key());
    for (int i = 0; i < tokens; i++) {
      reads.add(WrkRequest.get("/tokens/" + caller.token(), headers));
    }
    return reads;
  }

  static WrkRequest create(Caller caller) {
    return WrkRequest.post(
        "/tokens",
        Map.of("SVC-API-KEY", caller.key(), "Content-Type", "application/json"),
        "{\"type\": \"token\", \"data\": \"" + WrkRequest.VARYING + "\"}");
  }
}
