package io.tokenvault.server.e2e.audit;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Entries of the audit log over HTTP, with filters and pages. */
class LogsTest {

  private static final String MARKER = "m4rker-th4t-must-not-leak";

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @Test
  void newTenantLogNamesSystemAsCreator() {
    JsonNode log = tenant.log();

    assertThat(log).hasSize(2);
    assertThat(Json.each(log, "entity_type")).containsExactlyInAnyOrder("tenant", "application");
    assertThat(Json.each(log, "entity_id")).containsExactlyInAnyOrder(tenant.id(), management.id());
    assertThat(Json.each(log, "message"))
        .containsExactlyInAnyOrder("Tenant created", "Application created");
    assertThat(log)
        .allSatisfy(
            entry -> {
              assertThat(String.join(" ", new TreeSet<>(Json.names(entry))))
                  .isEqualTo(
                      "actor_type created_at entity_id entity_type message operation tenant_id");
              assertThat(Json.properties(entry, "tenant_id", "actor_type", "operation"))
                  .containsExactly(tenant.id(), "system", "create");
            });
  }

  @Test
  void entryOfRequestAppearsOnlyInNextResponse() {
    assertThat(operations(tenant.log())).containsExactly("create", "create");
    JsonNode second = tenant.log();

    assertThat(operations(second)).containsExactly("search", "create", "create");
    JsonNode entry = second.get(0);
    assertThat(Json.properties(entry, "entity_type", "entity_id", "actor_type", "actor_id"))
        .containsExactly("log", "*", "application", management.id());
    assertThat(OffsetDateTime.parse(entry.get("created_at").asText()).getOffset())
        .isEqualTo(ZoneOffset.UTC);
  }

  @Test
  void entriesCarryTraceIdOfTheirRequest() {
    tenant
        .owner()
        .call("POST", "/tokens")
        .header("SVC-TRACE-ID", "order 4711")
        .json(Json.object("type", "token", "data", "x"))
        .send()
        .expect(201);
    management.call("GET", "/tokens").header("SVC-TRACE-ID", "denied").send().expect(403);

    JsonNode log = tenant.log();

    assertThat(log.get(0).path("trace_id").asText()).isEqualTo("denied");
    assertThat(log.get(1).path("trace_id").asText()).isEqualTo("order 4711");
    assertThat(tenant.log().get(0).path("trace_id").asText()).hasSize(36);
  }

  @TestFactory
  Stream<DynamicTest> everyOperationIsRecorded() {
    Client owner = tenant.owner();
    Client subject = tenant.application("private", "token:read");
    String application = "/applications/" + subject.id();
    String proxyId = tenant.proxy("https://api.example.com").get("id").asText();
    String proxy = "/proxies/" + proxyId;
    String tokenId = owner.token("x");
    String ssn = owner.token(Json.object("type", "social_security_number", "data", "078-05-1120"));
    ObjectNode newProxy =
        Json.object("name", MARKER, "destination_url", "https://api.example.com/" + MARKER);

    return Stream.of(
        records("create application NEW", () -> management.post("/applications", draft())),
        records("search application *", () -> management.get("/applications")),
        records("read application " + subject.id(), () -> management.get(application)),
        records("read application " + management.id(), () -> management.get("/applications/key")),
        records(
            "update application " + subject.id(),
            () -> management.put(application, draft().without("type"))),
        records(
            "regenerate application " + subject.id(),
            () -> management.post(application + "/regenerate")),
        records("delete application " + subject.id(), () -> management.delete(application)),
        records("create proxy NEW", () -> management.post("/proxies", newProxy)),
        records("search proxy *", () -> management.get("/proxies?name=" + MARKER)),
        records("read proxy " + proxyId, () -> management.get(proxy)),
        records("update proxy " + proxyId, () -> management.put(proxy, newProxy)),
        records("delete proxy " + proxyId, () -> management.delete(proxy)),
        records("create token NEW", () -> owner.post("/tokens", token("token"))),
        records(
            "create employer_id_number NEW",
            () -> owner.post("/tokens", token("employer_id_number").put("data", "12-3456789"))),
        records("read token " + tokenId, () -> owner.get("/tokens/" + tokenId)),
        records("read social_security_number " + ssn, () -> owner.get("/tokens/" + ssn)),
        records("search token *", () -> owner.get("/tokens?type=bank")),
        records("delete social_security_number " + ssn, () -> owner.delete("/tokens/" + ssn)),
        records("delete token " + tokenId, () -> owner.delete("/tokens/" + tokenId)),
        records("read tenant " + tenant.id(), () -> management.get("/tenants/self")),
        records(
            "read application " + owner.id(),
            () -> management.post("/access/explain", accessQuestion(owner))),
        records("search log *", () -> management.get("/logs?entity_type=card")),
        records("search log *", () -> management.get("/logs?start=")));
  }

  private static ObjectNode accessQuestion(Client client) {
    return Json.object("permission", "token:read", "container", "/")
        .put("application_id", client.id());
  }

  private DynamicTest records(String expected, Supplier<Response> request) {
    return dynamicTest(expected, () -> assertRecords(expected, request));
  }

  private void assertRecords(String expected, Supplier<Response> request) {
    int before = tenant.log().size() + 1;

    Response response = request.get();

    assertThat(response.status()).as("%s", response).isBetween(200, 204);
    JsonNode log = tenant.log();
    assertThat(log).hasSize(before + 1);
    JsonNode entry = log.get(0);
    String id = expected.endsWith("NEW") ? response.text("id") : expected.split(" ")[2];
    assertThat(TenantFixture.operation(entry)).isEqualTo(expected.replace("NEW", id));
    assertThat(entry.get("actor_type").asText()).isEqualTo("application");
    assertThat(entry.get("message").asText()).isNotBlank().hasSizeLessThanOrEqualTo(250);
    assertThat(log.toString()).doesNotContain(MARKER);
  }

  @Test
  void denialIsRecorded() {
    Client reader =
        tenant.applicationWithRules(rule(1, "/shown/", "reveal", "token:read", "token:create"));
    String hidden = tenant.owner().token("1", "/hidden/");

    reader.get("/tokens/" + hidden).expect(403);
    reader.delete("/tokens/" + hidden).expect(403);
    reader.get("/proxies").expect(403);
    reader
        .post("/tokens", token("token").put("id", "never-made").set("containers", hidden()))
        .expect(403);

    assertThat(operationsOf(reader))
        .containsExactly(
            "create token never-made",
            "read application " + reader.id(),
            "delete application " + reader.id(),
            "read token " + hidden);
    assertThat(tenant.messages("actor_id=" + reader.id()))
        .allSatisfy(each -> assertThat(each).containsIgnoringCase("denied"))
        .contains("Token read denied");
  }

  private static JsonNode hidden() {
    return Json.of(List.of("/hidden/"));
  }

  @Test
  void failedOperationIsNotRecordedAsDone() {
    management.post("/applications", Json.object("name", "n")).expect(400);
    management.put("/proxies/" + UUID.randomUUID(), Json.object()).expect(404);
    management.delete("/applications/" + UUID.randomUUID()).expect(404);

    assertThat(operations(tenant.log())).containsExactly("create", "create");
  }

  @Test
  void entriesAreFilteredByEntity() {
    Client first = tenant.application("private", "token:read");
    Client second = tenant.application("private", "token:read");
    management.get("/applications/" + first.id()).expect(200);

    assertThat(operations(filtered("entity_id=" + first.id()))).containsExactly("read", "create");
    assertThat(operations(filtered("entity_type=application&entity_id=" + second.id())))
        .containsExactly("create");
    assertThat(filtered("entity_type=proxy&entity_id=" + second.id())).isEmpty();
    assertThat(operations(filtered("entity_type=tenant"))).containsExactly("create");
    assertThat(filtered("entity_type=unheard-of")).isEmpty();
    assertThat(management.get("/logs?entity_type=application&size=1").totalItems()).isEqualTo(4);
  }

  @Test
  void startIsInclusiveAndEndIsExclusive() {
    IntStream.range(0, 4).forEach(i -> management.get("/applications/key").expect(200));
    List<String> times = Json.each(filtered("entity_type=application"), "created_at");
    String third = times.get(2);

    assertThat(filteredTimes("start_date=" + third)).containsExactlyElementsOf(times.subList(0, 3));
    assertThat(filteredTimes("end_date=" + third))
        .containsExactlyElementsOf(times.subList(3, times.size()));
    assertThat(filteredTimes("start_date=" + third + "&end_date=" + times.get(0)))
        .containsExactlyElementsOf(times.subList(1, 3));
    assertThat(filteredTimes("start_date=" + third + "&end_date=" + third)).isEmpty();
  }

  @Test
  void pageReportsTotals() {
    IntStream.range(0, 5).forEach(i -> management.get("/applications/key").expect(200));

    Response page = management.get("/logs?entity_type=application&page=2&size=4").expect(200);

    assertThat(page.get("data")).hasSize(2);
    page.expectPage(2, 4, 6, 2);
    assertThat(management.get("/logs?page=9").expect(200).get("data")).isEmpty();
  }

  @Test
  void cursorEndsAfterFullLastPage() {
    Client owner = tenant.owner();
    IntStream.range(0, 4).forEach(i -> owner.token("x"));

    Response first = management.get("/logs?entity_type=token&size=2&start=").expect(200);
    String next = first.get("pagination").get("next").asText();
    Response last = management.get("/logs?entity_type=token&size=2&start=" + next).expect(200);

    assertThat(last.get("data")).hasSize(2);
    assertThat(last.get("pagination").has("next")).isFalse();
  }

  @Test
  void invalidDatesAndCursorsAreRejected() {
    management
        .get("/logs?start_date=yesterday&end_date=2026-02-30")
        .expectErrorsAt("start_date", "end_date");
    management.get("/logs?start=AAAA").expectErrorsAt("start");
    management.get("/logs?start=&page=1").expect(200);
    management.get("/logs?start=&page=2").expectErrorsAt("page");
    management.get("/logs?size=10000").expect(200);
    management.get("/logs?size=10001").expectErrorsAt("size");
  }

  private List<String> filteredTimes(String query) {
    return Json.each(filtered("entity_type=application&" + query), "created_at");
  }

  private JsonNode filtered(String query) {
    return management.get("/logs?" + query.replace("+", "%2B")).expect(200).get("data");
  }

  private List<String> operationsOf(Client actor) {
    return tenant.operations("actor_id=" + actor.id());
  }

  private static List<String> operations(JsonNode entries) {
    return Json.each(entries, "operation");
  }

  private static ObjectNode draft() {
    return Json.object("name", MARKER, "type", "private", "permissions", List.of("token:read"));
  }

  private static ObjectNode token(String type) {
    return Json.object("type", type, "data", MARKER, "metadata", Json.object("note", MARKER));
  }
}
