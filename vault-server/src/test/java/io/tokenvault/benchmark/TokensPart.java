package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.Database;
import io.tokenvault.benchmark.program.Exchange;
import io.tokenvault.benchmark.program.PgBench;
import io.tokenvault.benchmark.program.Tool;
import io.tokenvault.benchmark.program.Wrk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tokens read and made, beside what PostgreSQL does at most. */
@Command(
    name = "tokens",
    description = "tokens read and made beside pgbench on the same database",
    mixinStandardHelpOptions = true)
final class TokensPart extends Part {

  private static final int CLIENTS = 32;
  private static final String READ = "token read";
  private static final String CREATE = "token create";

  @Option(
      names = "--tokens",
      defaultValue = "2000",
      description = "of which one is read; default: ${DEFAULT-VALUE}")
  private int tokens;

  TokensPart() {
    super("Tokens read and made, and pgbench");
  }

  @Override
  void measure(Stand stand) {
    Tool.PGBENCH.require();
    String url = stand.vault().url();
    Caller caller = stand.caller();
    Wrk read = Wrk.of("read", stand.workspace(), reads(caller, tokens), CLIENTS);
    Wrk create = Wrk.of("create", stand.workspace(), List.of(create(caller)), CLIENTS);
    try (Database database = stand.vault().database()) {
      Yardsticks yardsticks = Yardsticks.prepare(stand.workspace(), database, tokens);
      PgBench select = yardsticks.select();
      PgBench insert = yardsticks.insert();
      new Contest(report, options)
          .enter("pgbench select", seconds -> select.run(CLIENTS, seconds))
          .enter(READ, seconds -> read.run(url, seconds))
          .run()
          .tellRate(READ, "by processor time at least 0.30, aim 0.4");
      new Contest(report, options)
          .enter("pgbench insert", seconds -> insert.run(CLIENTS, seconds))
          .enter(CREATE, seconds -> create.run(url, seconds))
          .run()
          .tellRate(CREATE, "by processor time at least 0.50, aim 0.6");
    }
  }

  /** Reads of new tokens, which are revealed. */
  static List<Exchange> reads(Caller caller, int tokens) {
    List<Exchange> reads = new ArrayList<>();
    Map<String, String> headers = Map.of("SVC-API-KEY", caller.key());
    for (int i = 0; i < tokens; i++) {
      reads.add(Exchange.get("/tokens/" + caller.token(), headers));
    }
    return reads;
  }

  static Exchange create(Caller caller) {
    return Exchange.post(
        "/tokens",
        Map.of("SVC-API-KEY", caller.key(), "Content-Type", "application/json"),
        "{\"type\": \"token\", \"data\": \"" + Exchange.VARYING + "\"}");
  }
}
