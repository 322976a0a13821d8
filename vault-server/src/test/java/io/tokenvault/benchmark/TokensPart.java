package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.PgBench;
import io.tokenvault.benchmark.program.Tool;
import io.tokenvault.benchmark.program.Workspace;
import io.tokenvault.benchmark.program.Wrk;
import io.tokenvault.benchmark.program.WrkRequest;
import io.tokenvault.server.environment.DatabaseAddress;
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
  void measure(TestBed testBed) {
    Tool.PGBENCH.require();
    String url = testBed.vault().url();
    Caller caller = testBed.createCaller();
    Wrk read = Wrk.of("read", testBed.workspace(), readRequests(caller, TOKENS), CLIENTS);
    Wrk create = Wrk.of("create", testBed.workspace(), List.of(createRequest(caller)), CLIENTS);
    DatabaseAddress database = testBed.vault().database();
    createTables(database);
    PgBench select = select(testBed.workspace(), database);
    PgBench insert = insert(testBed.workspace(), database);
    new Comparison(report, options)
        .add("pgbench select", seconds -> select.run(CLIENTS, seconds))
        .add(READ, seconds -> read.run(url, seconds))
        .run()
        .reportRate(READ, "by CPU time at least 0.30, aim 0.4");
    new Comparison(report, options)
        .add("pgbench insert", seconds -> insert.run(CLIENTS, seconds))
        .add(CREATE, seconds -> create.run(url, seconds))
        .run()
        .reportRate(CREATE, "by CPU time at least 0.50, aim 0.6");
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
  static List<WrkRequest> readRequests(Caller caller, int tokens) {
    List<WrkRequest> reads = new ArrayList<>();
    Map<String, String> headers = Map.of("SVC-API-KEY", caller.key());
    for (int i = 0; i < tokens; i++) {
      reads.add(WrkRequest.get("/tokens/" + caller.createToken(), headers));
    }
    return reads;
  }

  static WrkRequest createRequest(Caller caller) {
    return WrkRequest.post(
        "/tokens",
        Map.of("SVC-API-KEY", caller.key(), "Content-Type", "application/json"),
        "{\"type\": \"token\", \"data\": \"" + WrkRequest.RANDOM_DIGITS + "\"}");
  }
}
