package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.ApiClient;
import io.tokenvault.benchmark.program.Nginx;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Workspace;
import io.tokenvault.benchmark.program.Wrk;
import io.tokenvault.benchmark.program.WrkRequest;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.place.DatabaseAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the cost of more tokens, audit entries, tenants, and connections. */
@Command(
    name = "growth",
    description = "tokens in a request, tenants, connections, and rows in the tables",
    mixinStandardHelpOptions = true)
final class GrowthPart extends BenchmarkPart {

  private static final int FEW_ENTRIES = 10_000;
  private static final int SMALL = 32;
  private static final String PROXY = "proxy";
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
  void measure(TestBed stand) {
    if (full) {
      tokens = 1_000_000;
      entries = 10_000_000;
      tenants = 1000;
    }
    Caller caller = stand.caller();
    measureRequests(stand, caller);
    measureTables(stand, caller);
  }

  private void measureRequests(TestBed stand, Caller caller) {
    WrkRequest one = ProxiedRequest.withTokens(caller, 1).exchange();
    Comparison contest = new Comparison(report, options);
    enter(contest, SMALL_CASE, stand, List.of(one), SMALL);
    enter(contest, "10 tokens", stand, tokens(caller, 10), SMALL);
    enter(contest, "100 tokens", stand, tokens(caller, 100), SMALL);
    enter(contest, tenants + " tenants", stand, ofManyTenants(stand), SMALL);
    enter(contest, connections + " connections", stand, List.of(one), connections);
    contest.run();
    for (String name :
        List.of("10 tokens", "100 tokens", tenants + " tenants", connections + " connections")) {
      contest.tellRate(name, "").tellTail(name, "");
    }
  }

  private static List<WrkRequest> tokens(Caller caller, int count) {
    return List.of(ProxiedRequest.withTokens(caller, count).exchange());
  }

  /** Creates tenants and returns a request for each of them. */
  private List<WrkRequest> ofManyTenants(TestBed stand) {
    Configuration configuration =
        Configuration.from(Map.of("VAULT_DATA_DIR", stand.vault().data().toString()));
    List<WrkRequest> requests = new ArrayList<>();
    try (Backend backend = Backend.forCommand(configuration, new SecureRandom())) {
      for (int i = 0; i < tenants; i++) {
        IssuedTenant issued = backend.manageTenants().create(new ResourceName("tenant " + i));
        requests.add(
            request(stand, ApiClient.json(IssuedKeyLine.json(issued)).path("key").asText()));
      }
    }
    return requests;
  }

  private static WrkRequest request(TestBed stand, String managementKey) {
    VaultUnderTest vault = stand.vault();
    Caller caller =
        Caller.of(vault, vault.as(managementKey), ProxiedRequest.plainProxy(stand.destination()));
    return ProxiedRequest.withTokens(caller, 1).exchange();
  }

  private static void enter(
      Comparison contest, String name, TestBed stand, List<WrkRequest> exchanges, int connections) {
    Wrk wrk = Wrk.of(name.replace(' ', '-'), stand.workspace(), exchanges, connections);
    contest.enter(name, seconds -> wrk.run(stand.vault().url(), seconds));
  }

  private void measureTables(TestBed stand, Caller caller) {
    String nginx = Nginx.startProxy(stand.workspace(), stand.destination());
    String url = stand.vault().url();
    Map<String, Wrk> requests = smallRequests(stand, caller);
    DatabaseAddress database = stand.vault().database();
    TableFiller rows = new TableFiller(database);
    rows.addEntries(FEW_ENTRIES);
    report.line("-- %d entries in the log --", FEW_ENTRIES);
    // Warms up the code of the queries.
    LogQueryTimes.measure(stand.vault().management());
    Comparison before = small(nginx, url, requests);
    LogQueryTimes fewTimes = LogQueryTimes.measure(stand.vault().management());
    rows.addTokens(tokens);
    rows.addEntries(entries);
    database.select("CHECKPOINT");
    report.line("-- %d more tokens, %d more entries --", tokens, entries);
    Comparison after = small(nginx, url, requests);
    report.line("ratio to nginx, many rows as a share of few rows:");
    for (String name : requests.keySet()) {
      Samples many = after.rate(name);
      Samples few = before.rate(name);
      report.line("  %-20s %.2f (%s, was %s)", name, many.median() / few.median(), many, few);
    }
    LogQueryTimes.measure(stand.vault().management()).tellBeside(report, fewTimes);
  }

  /** Returns the requests that are measured before and after the growth, compared with nginx. */
  private static Map<String, Wrk> smallRequests(TestBed stand, Caller caller) {
    Workspace workspace = stand.workspace();
    List<WrkRequest> proxied = List.of(ProxiedRequest.withTokens(caller, 1).exchange());
    List<WrkRequest> create = List.of(TokensPart.create(caller));
    Map<String, Wrk> requests = new LinkedHashMap<>();
    requests.put(PROXY, Wrk.of("small-proxy", workspace, proxied, SMALL));
    requests.put(
        "token read", Wrk.of("small-read", workspace, TokensPart.reads(caller, 500), SMALL));
    requests.put("token create", Wrk.of("small-create", workspace, create, SMALL));
    return requests;
  }

  private Comparison small(String nginx, String url, Map<String, Wrk> requests) {
    Comparison contest = new Comparison(report, options);
    contest.enter("nginx", seconds -> requests.get(PROXY).run(nginx, seconds));
    requests.forEach((name, wrk) -> contest.enter(name, seconds -> wrk.run(url, seconds)));
    return contest.run();
  }
}
