package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.AuditFault;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import io.tokenvault.server.metrics.VaultMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The metrics of {@code /metrics}. The page about monitoring, the alerts and the dashboard use only
 * metrics that exist.
 */
@TestInstance(Lifecycle.PER_CLASS)
class MetricsTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Path DASHBOARD = Path.of("..", "packaging", "grafana", "token-vault.json");
  private static final Pattern GROUPED = Pattern.compile("by \\(([a-z, ]+)\\)");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Pattern SERIES =
      Pattern.compile("(?m)^([a-z_:][a-z0-9_:]*)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?:=~|!=|=)\"");
  private static final Pattern METRIC =
      Pattern.compile("\\b((?:vault|logback|process|jvm|system)_[a-z_]+)(?:\\{([^}]*)})?");

  /** Prometheus itself records whether it could scrape a node. */
  private static final String SCRAPE_EXPRESSION = "up{job=\"vault\"} == 0";

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:vault|logback)_[a-z_]+)`");

  /** Matches the suffixes that a histogram adds to its name. */
  private static final String HISTOGRAM_SUFFIX = "_(?:count|sum|bucket)$";

  /** Series that are updated in the background, or after the response is sent. */
  private static final List<String> DELAYED_SERIES =
      List.of("\nvault_tokens{", "\nvault_proxy_invocations_total{", "\nvault_transform_runs_");

  private final FaultyVault faulty = FaultyVault.shared();
  private final RunningVault vault = faulty.vault();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();
  private final TenantFixture tenant = vault.newTenant();
  private final Client owner = tenant.owner();
  private String page;
  private List<JsonNode> alerts;
  private String scraped;

  /** Creates the metrics that exist only once a transform has run and a request was denied. */
  @BeforeAll
  void start() throws IOException {
    page = Files.readString(DOCS.resolve("monitoring.md"));
    alerts = alerts();
    String code = "module.exports = async (req) => ({ body: {} });";
    JsonNode proxy = tenant.proxy(TenantFixture.transformingDraft(destination.url(), code));
    if (!scrape().contains("\nvault_transform_runs_")) {
      Call call = owner.call("POST", "/proxy").json("{}");
      invoke(call.through(proxy));
    }
    invoke(owner.call("POST", "/proxy").to(destination.url()));
    tenant.management().get("/tokens").expect(403);
    Eventually.holds(
        "all series exist", TIMEOUT, () -> DELAYED_SERIES.stream().allMatch(scrape()::contains));
    scraped = scrape() + "\n" + embeddedDatabaseDiskMetrics();
  }

  /** Returns the disk metrics of a vault with an embedded database, which this one lacks. */
  private static String embeddedDatabaseDiskMetrics() {
    Response embedded = RunningVault.shared().adminCall("GET", "/metrics").send().expect(200);
    return embedded
        .text()
        .lines()
        .filter(line -> line.contains("vault_disk_"))
        .collect(Collectors.joining("\n"));
  }

  private String scrape() {
    return vault.adminCall("GET", "/metrics").send().expect(200).text();
  }

  /** Returns the value of a series, if it exists. */
  private Optional<Double> find(String series) {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst();
  }

  private double value(String series) {
    return find(series).orElse(0.0);
  }

  /** Waits for the value, since requests may be counted after the response is sent. */
  private void awaitValue(String series, double expected) {
    Eventually.holds(series + " is " + expected, TIMEOUT, () -> value(series) == expected);
  }

  private static String requests(String method, String route, int status) {
    return requests("main", method, route, status);
  }

  private static String requests(String listener, String method, String route, int status) {
    return "vault_http_requests_seconds_count{listener=\"%s\",method=\"%s\",route=\"%s\",status=\"%d\"}"
        .formatted(listener, method, route, status);
  }

  @Test
  void buildMetricReportsVersions() {
    assertThat(scraped)
        .containsPattern(
            "\nvault_build_info\\{java=\""
                + Pattern.quote(Runtime.version().toString())
                + "\",version=\"[^\"]+\"} 1(\\.0)?\n");
  }

  @Test
  void requestsAreCountedByRouteAndStatusOnly() {
    String id = UUID.randomUUID().toString();
    String route = "/applications/{id}";
    double before = value(requests("GET", route, 404));
    tenant.management().get("/applications/" + id).expect(404);
    awaitValue(requests("GET", route, 404), before + 1);

    double unknown = value(requests("GET", "none", 404));
    vault.call("GET", "/no-such-path-" + id).send().expect(404);
    vault.call("BREW", "/no-such-path-" + id).send();
    awaitValue(requests("GET", "none", 404), unknown + 1);
    assertThat(scrape())
        .doesNotContain(id, "BREW", owner.key(), tenant.management().key())
        .contains("jvm_memory_used_bytes", "process_cpu_usage", "logback_events_total");
  }

  @Test
  void requestsOfAdminListenerAreCountedSeparately() {
    String admin = requests("admin", "GET", "/metrics", 200);
    double before = value(admin);
    Eventually.holds("scrapes are counted", TIMEOUT, () -> value(admin) > before);
    assertThat(find(requests("GET", "/metrics", 200))).isEmpty();
  }

  /** Sends a request and waits until it is counted and recorded, so that no other test sees it. */
  private void invoke(Call call) {
    String series = "vault_proxy_invocations_total{outcome=\"answered\"}";
    double before = value(series);
    long ended = endedInvocations();
    call.send().expect(200);
    awaitValue(series, before + 1);
    Eventually.holds("its end is recorded", TIMEOUT, () -> endedInvocations() == ended + 1);
  }

  private long endedInvocations() {
    return tenant.messages().stream()
        .filter(message -> message.startsWith("Proxy invocation ended"))
        .count();
  }

  @Test
  void invocationsAndTransformsAreCountedByOutcome() {
    String invalid = "vault_proxy_invocations_total{outcome=\"destination-invalid\"}";
    double before = value(invalid);
    double refused = value(requests("POST", "/proxy", 400));
    owner.call("POST", "/proxy").to("https://127.0.0.1/").send().expect(400);
    awaitValue(invalid, before + 1);
    awaitValue(requests("POST", "/proxy", 400), refused + 1);
    assertThat(value("vault_transform_runs_seconds_count{ending=\"returned\"}")).isPositive();
  }

  @Test
  void refusalsAreCountedByApplication() {
    String series = "vault_refusals_total{application=\"" + tenant.management().id() + "\"}";
    double before = value(series);
    tenant.management().get("/tokens").expect(403);
    tenant.management().get("/tokens").expect(403);
    awaitValue(series, before + 2);
  }

  @Test
  void auditLogIsMeasured() {
    String calls = "vault_audit_written_calls_total";
    double before = value(calls);
    tenant.management().get("/logs").expect(200);
    Eventually.holds("one more call", TIMEOUT, () -> value(calls) > before);
    assertThat(value("vault_audit_written_batches_total")).isPositive();
    assertThat(value("vault_audit_record_seconds_count")).isPositive();
    Eventually.holds(
        "the lag of the hash chain is known and small",
        TIMEOUT,
        () -> find("vault_audit_seal_lag_seconds").filter(lag -> lag < 20).isPresent());
    // Unknown for a moment while it is computed again.
    Eventually.holds(
        "the number of days with partitions is known",
        TIMEOUT,
        () ->
            find("vault_audit_partitions_left_days")
                .filter(days -> days > 27 && days < 95)
                .isPresent());
  }

  @Test
  void failedAuditWritesAreCounted() throws Exception {
    String records = "vault_audit_write_failures_total{of=\"records\"}";
    String changes = "vault_audit_write_failures_total{of=\"changes\"}";
    double recordsBefore = value(records);
    double changesBefore = value(changes);
    try (AutoCloseable fault = AuditFault.INSERT_FAILS.start(faulty)) {
      assertThat(fault).isNotNull();
      tenant.management().get("/logs").expect(503);
      owner.post("/tokens", Json.object("type", "token", "data", "x")).expect(503);
      owner
          .post("/tokenize", Json.of(List.of(Json.object("type", "token", "data", "x"))))
          .expect(503);
      tenant.management().delete("/applications/" + owner.id()).expect(503);
    }
    awaitValue(records, recordsBefore + 1);
    awaitValue(changes, changesBefore + 3);
  }

  @Test
  void readinessIsMeasured() throws Exception {
    awaitValue("vault_ready", 1);
    try (AutoCloseable fault = AuditFault.DATABASE_READ_ONLY.start(faulty)) {
      assertThat(fault).isNotNull();
      awaitValue("vault_ready", 0);
    }
    awaitValue("vault_ready", 1);
  }

  @Test
  void drainingNodeIsNotReady() {
    JdbiStores stores = vault.backend().database();
    try (VaultMetrics metrics =
        new VaultMetrics(stores.readiness(), Optional.of(stores), Optional.empty())) {
      Eventually.holds("ready", TIMEOUT, () -> metrics.scrape().contains("\nvault_ready 1.0\n"));
      metrics.drain();
      assertThat(metrics.scrape()).contains("\nvault_ready 0.0\n");
    }
  }

  @Test
  void connectionPoolsAreMeasured() {
    assertThat(value("vault_database_connections_limit{pool=\"steady\"}")).isPositive();
    assertThat(find("vault_database_connections_waiting{pool=\"requests\"}")).isPresent();
  }

  private static List<JsonNode> alerts() throws IOException {
    YAMLMapper yaml =
        YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    JsonNode file = yaml.readTree(DOCS.resolve("examples/alerts.yaml").toFile());
    assertThat(Json.names(file)).containsExactly("groups");
    List<JsonNode> alerts = new ArrayList<>();
    for (JsonNode group : file.get("groups")) {
      assertThat(Json.names(group)).containsExactly("name", "rules");
      group.get("rules").forEach(alerts::add);
    }
    return alerts;
  }

  private Set<String> names() {
    return SERIES.matcher(scraped).results().map(each -> each.group(1)).collect(toSortedSet());
  }

  private static Collector<String, ?, TreeSet<String>> toSortedSet() {
    return Collectors.toCollection(TreeSet::new);
  }

  private Set<String> labels(String metric) {
    return SERIES
        .matcher(scraped)
        .results()
        .filter(series -> series.group(1).equals(metric) && series.group(2) != null)
        .flatMap(series -> LABEL.matcher(series.group(2)).results())
        .map(label -> label.group(1))
        .collect(toSortedSet());
  }

  @Test
  void pageListsExactlyTheMetrics() {
    Set<String> measured =
        names().stream()
            .filter(name -> name.matches("(vault|logback)_.*"))
            .map(name -> name.replaceFirst(HISTOGRAM_SUFFIX, ""))
            .collect(toSortedSet());
    assertThat(ROW.matcher(page).results().map(row -> row.group(1)))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(measured);
  }

  @Test
  void everyMetricNameOnPageIsMeasured() {
    Set<String> known = names();
    List<String> named = METRIC.matcher(page).results().map(each -> each.group(1)).toList();
    assertThat(named).hasSizeGreaterThan(25);
    assertThat(named).allMatch(name -> known.contains(name) || known.contains(name + "_count"));
  }

  @Test
  void everyAlertIsWellFormedPrometheusRule() {
    assertThat(alerts).hasSizeGreaterThan(10);
    for (JsonNode alert : alerts) {
      assertThat(alert.path("alert").asText()).matches("Vault[A-Za-z]+");
      assertThat(Json.names(alert)).isSubsetOf("alert", "expr", "for", "labels", "annotations");
      assertThat(alert.path("for").asText("1m")).matches("[0-9]+m");
      assertThat(alert.at("/labels/severity").asText()).isIn("page", "ticket");
      assertThat(alert.at("/annotations/summary").asText()).isNotBlank();
      assertThat(Json.names(alert.path("annotations"))).isSubsetOf("summary", "description");
      String expression = alert.path("expr").asText();
      assertThat(count(expression, '(')).as(expression).isEqualTo(count(expression, ')'));
    }
  }

  private static long count(String text, char character) {
    return text.chars().filter(each -> each == character).count();
  }

  @Test
  void everyMetricAndLabelInAlertsIsMeasured() {
    alerts.stream()
        .map(alert -> alert.path("expr").asText())
        .filter(expression -> !expression.equals(SCRAPE_EXPRESSION))
        .forEach(this::assertMeasured);
  }

  @Test
  void dashboardQueriesOnlyExistingMetricsAndLabels() throws IOException {
    JsonNode dashboard = Json.parse(Files.readString(DASHBOARD));
    List<String> queries = dashboard.findValuesAsText("expr");
    assertThat(queries).hasSizeGreaterThan(20).allSatisfy(this::assertMeasured);
    assertThat(dashboard.at("/templating/list/1/definition").asText())
        .isEqualTo("label_values(vault_ready, job)");
  }

  private void assertMeasured(String query) {
    List<MatchResult> used = METRIC.matcher(query).results().toList();
    assertThat(used).as(query).isNotEmpty();
    for (MatchResult metric : used) {
      assertThat(names()).as(query).contains(metric.group(1));
      Set<String> labels = labels(metric.group(1));
      // Prometheus adds these labels.
      labels.addAll(Set.of("job", "instance"));
      String selected = Objects.requireNonNullElse(metric.group(2), "");
      assertThat(LABEL.matcher(selected).results().map(label -> label.group(1)))
          .as(query)
          .isSubsetOf(labels);
      assertThat(
              GROUPED
                  .matcher(query)
                  .results()
                  .flatMap(group -> Stream.of(group.group(1).split(", "))))
          .as(query)
          .isSubsetOf(labels);
    }
  }

  @Test
  void everyAlertIsOnPage() {
    assertThat(alerts.stream().map(alert -> "`" + alert.path("alert").asText() + "`"))
        .allMatch(page::contains)
        .doesNotHaveDuplicates();
  }

  @Test
  void everyMetricHasHelp() {
    assertThat(names().stream().map(name -> name.replaceFirst(HISTOGRAM_SUFFIX, "")))
        .filteredOn(name -> name.startsWith("vault_"))
        .allMatch(name -> scraped.contains("# HELP " + name + " "));
  }
}
