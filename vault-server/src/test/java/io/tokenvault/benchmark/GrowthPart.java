package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.Database;
import io.tokenvault.benchmark.program.Exchange;
import io.tokenvault.benchmark.program.NginxProxy;
import io.tokenvault.benchmark.program.Wrk;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What more tokens, entries, tenants and connections cost, beside the small case. */
@Command(
    name = "growth",
    description = "tokens in a request, tenants, connections, and rows in the tables",
    mixinStandardHelpOptions = true)
final class GrowthPart extends Part {

  private static final int FEW_ENTRIES = 10_000;
  private static final int SMALL = 32;
  private static final String SMALL_CASE = "1 token, 1 tenant, 32 connections";

  @Option(
      names = "--tokens",
      defaultValue = "100000",
      description = "rows; default: ${DEFAULT-VALUE}")
  private int tokens;

  @Option(
      names = "--entries",
      defaultValue = "1000000",
      description = "rows in the log; default: ${DEFAULT-VALUE}")
  private int entries;

  @Option(names = "--tenants", defaultValue = "100", description = "default: ${DEFAULT-VALUE}")
  private int tenants;

  @Option(names = "--connections", defaultValue = "256", description = "default: ${DEFAULT-VALUE}")
  private int connections;

  @Option(
      names = "--full",
      description = "one million tokens, ten million entries, a thousand tenants")
  private boolean full;

  GrowthPart() {
    super("Growth");
  }

  @Override
  void measure(Stand stand) {
    if (full) {
      tokens = 1_000_000;
      entries = 10_000_000;
      tenants = 1000;
    }
    Caller caller = stand.caller();
    measureRequests(stand, caller);
    measureTables(stand, caller);
  }

  private void measureRequests(Stand stand, Caller caller) {
    Exchange one = ProxiedRequest.withTokens(caller, 1).exchange();
    Contest contest = new Contest(report, options);
    enter(contest, SMALL_CASE, stand, List.of(one), SMALL);
    enter(contest, "10 tokens", stand, tokens(caller, 10), SMALL);
    enter(contest, "100 tokens", stand, tokens(caller, 100), SMALL);
    enter(contest, tenants + " tenants", stand, Tenants.requests(stand, tenants), SMALL);
    enter(contest, connections + " connections", stand, List.of(one), connections);
    contest.run();
    for (String name :
        List.of("10 tokens", "100 tokens", tenants + " tenants", connections + " connections")) {
      contest.tellRate(name, "").tellTail(name, "");
    }
  }

  private static List<Exchange> tokens(Caller caller, int count) {
    return List.of(ProxiedRequest.withTokens(caller, count).exchange());
  }

  private static void enter(
      Contest contest, String name, Stand stand, List<Exchange> exchanges, int connections) {
    Wrk wrk = Wrk.of(name.replace(' ', '-'), stand.workspace(), exchanges, connections);
    contest.enter(name, seconds -> wrk.run(stand.vault().url(), seconds));
  }

  private void measureTables(Stand stand, Caller caller) {
    Small requests = new Small(stand, caller);
    try (Database database = stand.vault().database()) {
      Rows rows = new Rows(database);
      rows.addEntries(FEW_ENTRIES);
      report.line("-- %d entries in the log --", FEW_ENTRIES);
      // What is measured first would pay for the compiling of it all.
      LogTimes.measure(stand.vault().management());
      Contest before = requests.contest().run();
      LogTimes few = LogTimes.measure(stand.vault().management());
      rows.addTokens(tokens);
      rows.addEntries(entries);
      database.execute("CHECKPOINT");
      report.line("-- %d more tokens, %d more entries --", tokens, entries);
      Contest after = requests.contest().run();
      requests.tell(before, after);
      LogTimes.measure(stand.vault().management()).tellBeside(report, few);
    }
  }

  /** The same requests before and after, beside nginx both times. */
  private final class Small {

    private static final List<String> NAMES = List.of("proxy", "token read", "token create");

    private final NginxProxy nginx;
    private final String url;
    private final List<Wrk> all;

    Small(Stand stand, Caller caller) {
      this.nginx = stand.nginx();
      this.url = stand.vault().url();
      this.all =
          List.of(
              Wrk.of(
                  "small-proxy",
                  stand.workspace(),
                  List.of(ProxiedRequest.withTokens(caller, 1).exchange()),
                  SMALL),
              Wrk.of("small-read", stand.workspace(), TokensPart.reads(caller, 500), SMALL),
              Wrk.of("small-create", stand.workspace(), List.of(TokensPart.create(caller)), SMALL));
    }

    Contest contest() {
      Contest contest = new Contest(report, options);
      contest.enter("nginx", seconds -> all.get(0).run(nginx.url(), seconds));
      for (int i = 0; i < NAMES.size(); i++) {
        Wrk wrk = all.get(i);
        contest.enter(NAMES.get(i), seconds -> wrk.run(url, seconds));
      }
      return contest;
    }

    void tell(Contest before, Contest after) {
      report.line("ratio to nginx, many rows as a share of few rows:");
      for (String name : NAMES) {
        report.line(
            "  %-20s %.2f (%s, was %s)",
            name,
            after.rate(name).median() / before.rate(name).median(),
            after.rate(name),
            before.rate(name));
      }
    }
  }
}
