package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.AuditFault;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What a scrape of {@code /metrics} tells after something has happened. */
@TestInstance(Lifecycle.PER_CLASS)
class MetricsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private FaultyVault faulty;
  private RunningVault vault;
  private HttpsDestination destination;
  private TenantFixture tenant;
  private Client owner;

  @BeforeAll
  void start() {
    faulty = FaultyVault.start(Map.of());
    vault = faulty.vault();
    destination = HttpsDestination.start();
    tenant = vault.newTenant();
    owner = tenant.owner();
    for (int i = 0; i < 3; i++) {
      owner.token("data");
    }
  }

  @AfterAll
  void stop() throws Exception {
    destination.close();
    faulty.close();
  }

  private String scrape() {
    return vault.adminCall("GET", "/metrics").send().expect(200).text();
  }

  /** The value of the line that begins so, if there is one. */
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

  /** What is counted is counted when the answer is on its way already. */
  private void comesTo(String series, double expected) {
    Eventually.holds(series + " is " + expected, PATIENCE, () -> value(series) == expected);
  }

  private static String requests(String method, String route, int status) {
    return "vault_http_requests_seconds_count{listener=\"main\",method=\"%s\",route=\"%s\",status=\"%d\"}"
        .formatted(method, route, status);
  }

  @Test
  void requestsAreCountedByRouteAndStatusAndNotByWhatIsInThem() {
    String id = UUID.randomUUID().toString();
    String route = "/applications/{id}";
    double before = value(requests("GET", route, 404));
    tenant.management().get("/applications/" + id).expect(404);
    comesTo(requests("GET", route, 404), before + 1);

    vault.call("GET", "/no-such-path-" + id).send().expect(404);
    vault.call("BREW", "/no-such-path-" + id).send();
    comesTo(requests("GET", "none", 404), 1);
    assertThat(scrape()).doesNotContain(id, "BREW");
  }

  /** Sends it and waits until it is counted and its end recorded, which other tests could meet. */
  private void invoke(Call call) {
    String series = "vault_proxy_invocations_total{outcome=\"answered\"}";
    double response = value(series);
    long ended = ended();
    call.send().expect(200);
    comesTo(series, response + 1);
    Eventually.holds("its end is recorded", PATIENCE, () -> ended() == ended + 1);
  }

  private long ended() {
    return Json.each(tenant.log(), "message").stream()
        .filter(message -> message.startsWith("Proxy invocation ended"))
        .count();
  }

  @Test
  void invocationsAreCountedByHowTheyEnd() {
    invoke(owner.call("POST", "/proxy").header("SVC-PROXY-URL", destination.url()));
    owner.call("POST", "/proxy").header("SVC-PROXY-URL", "https://127.0.0.1/").send().expect(400);
    comesTo("vault_proxy_invocations_total{outcome=\"destination-invalid\"}", 1);
    comesTo(requests("POST", "/proxy", 400), 1);
  }

  @Test
  void transformsAreTimedByHowTheyEnd() {
    JsonNode proxy =
        tenant.proxy(
            Json.object(
                "name", "transformed",
                "destination_url", destination.url(),
                "request_transform",
                    Json.object("code", "module.exports = async (req) => ({ body: {} });")));
    invoke(
        owner.call("POST", "/proxy").header("SVC-PROXY-KEY", proxy.get("key").asText()).json("{}"));
    comesTo("vault_transform_runs_seconds_count{ending=\"returned\"}", 1);
  }

  @Test
  void refusalsAreCountedByApplication() {
    String series = "vault_refusals_total{application=\"" + tenant.management().id() + "\"}";
    double before = value(series);
    tenant.management().get("/tokens").expect(403);
    tenant.management().get("/tokens").expect(403);
    comesTo(series, before + 2);
  }

  @Test
  void tokensAreCountedByTenantInTheBackground() {
    comesTo("vault_tokens{tenant=\"" + tenant.id() + "\"}", 3);
  }

  @Test
  void theLogIsMeasured() {
    String calls = "vault_audit_written_calls_total";
    double before = value(calls);
    tenant.management().get("/logs").expect(200);
    Eventually.holds("one call more", PATIENCE, () -> value(calls) > before);
    assertThat(value("vault_audit_written_batches_total")).isPositive();
    assertThat(value("vault_audit_record_seconds_count")).isPositive();
    Eventually.holds(
        "the lag of seals is known and small",
        PATIENCE,
        () -> find("vault_audit_seal_lag_seconds").filter(lag -> lag < 20).isPresent());
    // Not known for a moment while it is found out anew.
    Eventually.holds(
        "the days are known for which there are partitions",
        PATIENCE,
        () ->
            find("vault_audit_partitions_left_days")
                .filter(days -> days > 27 && days < 95)
                .isPresent());
  }

  @Test
  void anEntryThatCannotBeWrittenWakesSomebody() throws Exception {
    String records = "vault_audit_write_failures_total{of=\"records\"}";
    String changes = "vault_audit_write_failures_total{of=\"changes\"}";
    double recordsBefore = value(records);
    double changesBefore = value(changes);
    try (AutoCloseable fault = AuditFault.THE_INSERT_FAILS.begin(faulty)) {
      assertThat(fault).isNotNull();
      tenant.management().get("/logs").expect(503);
      owner.post("/tokens", Json.object("type", "token", "data", "x")).expect(503);
      owner
          .post("/tokenize", Json.of(List.of(Json.object("type", "token", "data", "x"))))
          .expect(503);
      tenant.management().delete("/applications/" + owner.id()).expect(503);
    }
    comesTo(records, recordsBefore + 1);
    comesTo(changes, changesBefore + 3);
  }

  @Test
  void poolsAndTheProcessAreMeasured() {
    assertThat(value("vault_database_connections_limit{pool=\"steady\"}")).isPositive();
    assertThat(find("vault_database_connections_waiting{pool=\"requests\"}")).isPresent();
    assertThat(scrape())
        .contains("jvm_memory_used_bytes", "process_cpu_usage", "logback_events_total");
  }

  @Test
  void noKeyIsInIt() {
    assertThat(scrape()).doesNotContain(owner.key(), tenant.management().key());
  }
}
