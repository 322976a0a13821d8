package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.ApiClient;
import io.tokenvault.benchmark.program.Nginx;
import io.tokenvault.benchmark.program.Workspace;
import io.tokenvault.benchmark.program.Wrk;
import io.tokenvault.benchmark.program.WrkRequest;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.environment.DatabaseAddress;
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
  private static final int FEW_CONNECTIONS = 32;
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
  void measure(TestBed testBed) {
    if (full) {
      tokens = 1_000_000;
      entries = 10_000_000;
      tenants = 1000;
    }
    Caller caller = testBed.createCaller();
    measureRequests(testBed, caller);
    measureTables(testBed, caller);
  }

  private void measureRequests(TestBed testBed, Caller caller) {
    WrkRequest one = ProxiedRequest.withTokens(caller, 1).wrkRequest();
    Comparison comparison = new Comparison(report, options);
    add(comparison, SMALL_CASE, testBed, List.of(one), FEW_CONNECTIONS);
    add(comparison, "10 tokens", testBed, tokens(caller, 10), FEW_CONNECTIONS);
    add(comparison, "100 tokens", testBed, tokens(caller, 100), FEW_CONNECTIONS);
    add(comparison, tenants + " tenants", testBed, requestsOfManyTenants(testBed), FEW_CONNECTIONS);
    add(comparison, connections + " connections", testBed, List.of(one), connections);
    comparison.run();
    for (String name :
        List.of("10 tokens", "100 tokens", tenants + " tenants", connections + " connections")) {
      comparison.reportRate(name, "").reportP99(name, "");
    }
  }

  private static List<WrkRequest> tokens(Caller caller, int count) {
    return List.of(ProxiedRequest.withTokens(caller, count).wrkRequest());
  }

  /** Creates tenants and returns a request for each of them. */
  private List<WrkRequest> requestsOfManyTenants(TestBed testBed) {
    Configuration configuration =
        Configuration.from(Map.of("VAULT_DATA_DIR", testBed.vault().data().toString()));
    List<WrkRequest> requests = new ArrayList<>();
    try (Backend backend = Backend.forCommand(configuration, new SecureRandom())) {
      for (int i = 0; i < tenants; i++) {
        IssuedTenant issued = backend.manageTenants().create(new ResourceName("tenant " + i));
        String key = ApiClient.json(IssuedKeyLine.json(issued)).path("key").asText();
        Caller caller = testBed.createCaller(testBed.vault().clientWithKey(key));
        requests.add(ProxiedRequest.withTokens(caller, 1).wrkRequest());
      }
    }
    return requests;
  }

  private static void add(
      Comparison comparison,
      String name,
      TestBed testBed,
      List<WrkRequest> requests,
      int connections) {
    Wrk wrk = Wrk.of(name.replace(' ', '-'), testBed.workspace(), requests, connections);
    comparison.add(name, seconds -> wrk.run(testBed.vault().url(), seconds));
  }

  private void measureTables(TestBed testBed, Caller caller) {
    String nginx = Nginx.startProxy(testBed.workspace(), testBed.destination());
    String url = testBed.vault().url();
    Map<String, Wrk> requests = smallRequests(testBed, caller);
    DatabaseAddress database = testBed.vault().database();
    TableFiller rows = new TableFiller(database);
    rows.addEntries(FEW_ENTRIES);
    report.line("-- %d entries in the log --", FEW_ENTRIES);
    // Warms up the code of the queries.
    LogQueryTimes.measure(testBed.vault().management());
    Comparison before = compareSmallRequests(nginx, url, requests);
    LogQueryTimes timesBefore = LogQueryTimes.measure(testBed.vault().management());
    rows.addTokens(tokens);
    rows.addEntries(entries);
    database.select("CHECKPOINT");
    report.line("-- %d more tokens, %d more entries --", tokens, entries);
    Comparison after = compareSmallRequests(nginx, url, requests);
    report.line("ratio to nginx, many rows as a share of few rows:");
    for (String name : requests.keySet()) {
      Samples many = after.rate(name);
      Samples few = before.rate(name);
      report.line("  %-20s %.2f (%s, was %s)", name, many.median() / few.median(), many, few);
    }
    LogQueryTimes.measure(testBed.vault().management()).reportComparedTo(report, timesBefore);
  }

  /** Returns the requests that are measured before and after the growth, compared with nginx. */
  private static Map<String, Wrk> smallRequests(TestBed testBed, Caller caller) {
    Workspace workspace = testBed.workspace();
    List<WrkRequest> proxied = List.of(ProxiedRequest.withTokens(caller, 1).wrkRequest());
    List<WrkRequest> create = List.of(TokensPart.createRequest(caller));
    Map<String, Wrk> requests = new LinkedHashMap<>();
    requests.put(PROXY, Wrk.of("small-proxy", workspace, proxied, FEW_CONNECTIONS));
    requests.put(
        "token read",
        Wrk.of("small-read", workspace, TokensPart.readRequests(caller, 500), FEW_CONNECTIONS));
    requests.put("token create", Wrk.of("small-create", workspace, create, FEW_CONNECTIONS));
    return requests;
  }

  private Comparison compareSmallRequests(String nginx, String url, Map<String, Wrk> requests) {
    Comparison comparison = new Comparison(report, options);
    comparison.add("nginx", seconds -> requests.get(PROXY).run(nginx, seconds));
    requests.forEach((name, wrk) -> comparison.add(name, seconds -> wrk.run(url, seconds)));
    return comparison.run();
  }
}
