package io.tokenvault.server.e2e.http;

import static io.tokenvault.server.e2e.fixture.TenantFixture.draft;
import static io.tokenvault.server.e2e.fixture.TenantFixture.proxyDraft;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Conditional requests change a resource only at the expected version. */
class ConditionalRequestsTest {

  private static final String URL = "https://api.example.com/base";

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();
  private final Client owner = tenant.owner();

  private String expiring() {
    String soon = OffsetDateTime.now(ZoneOffset.UTC).plusHours(1).toString();
    ObjectNode draft = draft("expiring", "token:read").put("expires_at", soon);
    return "/applications/" + tenant.application(draft).id();
  }

  private String withRules() {
    ObjectNode draft = draft("private", List.of(rule(1, "/", "mask", "token:read")));
    draft.put("can_create_expiring_applications", true);
    return "/applications/" + tenant.application(draft).id();
  }

  private String bareProxy() {
    return "/proxies/" + tenant.proxy(URL).get("id").asText();
  }

  private String fullProxy() {
    String application = tenant.application("private", "token:use").id();
    ObjectNode draft = proxyDraft(URL).put("timeout_ms", 1000);
    draft.set("application", Json.object("id", application, "name", "whatever it is"));
    draft.set("configuration", Json.object("k", "v"));
    return "/proxies/" + tenant.proxy(draft).get("id").asText();
  }

  @Test
  void readResourceCanBeSentBackUnchanged() {
    List<String> paths =
        List.of(
            withRules(), expiring(), "/applications/" + management.id(), fullProxy(), bareProxy());
    for (String path : paths) {
      ObjectNode read = (ObjectNode) management.get(path).expect(200).json();
      ObjectNode response = (ObjectNode) management.put(path, read).expect(200).json();
      List<String> changing = List.of("modified_by", "modified_at", "last_used_at");
      assertThat(response.remove(changing)).isEqualTo(read.remove(changing));
    }
  }

  @Test
  void unknownResourceIsNotFoundBeforeValidation() {
    for (String path : List.of("/applications/", "/proxies/")) {
      management.put(path + UUID.randomUUID(), Json.object("nmae", 1)).expect(404);
      Call put = management.call("PUT", path + UUID.randomUUID()).json(Json.object("name", 1));
      put.header("If-Match", "\"1\"").send().expect(404);
      Call delete = management.call("DELETE", path + UUID.randomUUID());
      delete.header("If-Match", "*").send().expect(404);
      owner.put(path + UUID.randomUUID(), Json.object("nmae", 1)).expect(403);
    }
  }

  /** A resource and a request that changes its version. */
  private record Resource(String path, Client client, String method, String change, Object body) {

    Call call() {
      Call call = client.call(method, path + change);
      return body == null ? call : call.body("application/json", body.toString());
    }

    Response change(String ifMatch) {
      return call().header("If-Match", ifMatch).send();
    }

    String tag() {
      return client.get(path).expect(200).header("ETag").orElseThrow();
    }
  }

  private List<Resource> resources() {
    String token = "/tokens/" + owner.token("data");
    JsonNode update = Json.object("name", "new", "permissions", List.of("token:read"));
    return List.of(
        new Resource(withRules(), management, "PUT", "", update),
        new Resource(withRules(), management, "POST", "/regenerate", null),
        new Resource(bareProxy(), management, "PUT", "", proxyDraft(URL).put("name", "new")),
        new Resource(withRules(), management, "PATCH", "", Json.object("name", "new")),
        new Resource(fullProxy(), management, "PATCH", "", Json.object("name", "new")),
        new Resource(token, owner, "PATCH", "", Json.object("data", "new")));
  }

  @TestFactory
  Stream<DynamicTest> resourceIsChangedOnlyAtExpectedVersion() {
    return resources().stream()
        .map(each -> dynamicTest(each.method() + " " + each.path(), () -> assertConditional(each)));
  }

  private void assertConditional(Resource resource) {
    String first = resource.tag();
    assertThat(first).matches("\"[^\"]+\"");
    assertThat(resource.tag()).isEqualTo(first);
    Response head = resource.client().call("HEAD", resource.path()).send();
    assertThat(head.header("ETag")).contains(first);

    String second = resource.change(first).expect(200).header("ETag").orElseThrow();
    assertThat(second).isNotEqualTo(first).isEqualTo(resource.tag());
    JsonNode before = resource.client().get(resource.path()).json();

    Response refused = resource.change(first).expectProblem(412, "precondition-failed");
    assertThat(refused.header("ETag")).isEmpty();
    assertThat(resource.client().get(resource.path()).json()).isEqualTo(before);
    resource.change("*").expect(200);
  }

  @Test
  void resourceIsDeletedOnlyAtExpectedVersion() {
    for (Resource each : resources()) {
      String old = each.tag();
      each.change(old).expect(200);
      delete(each, old).expectProblem(412, "precondition-failed");
      delete(each, each.tag()).expect(204);
      each.client().get(each.path()).expect(404);
    }
  }

  private static Response delete(Resource resource, String ifMatch) {
    return resource.client().call("DELETE", resource.path()).header("If-Match", ifMatch).send();
  }

  @Test
  void creationReturnsETagOfLaterReads() {
    Response application = management.post("/applications", draft("private", "token:read"));
    Response proxy = management.post("/proxies", proxyDraft(URL));
    Response token = owner.post("/tokens", Json.object("type", "token", "data", "x"));

    for (Response created : List.of(application, proxy)) {
      String path = created.expect(201).header("Location").orElseThrow();
      assertThat(management.get(path).header("ETag")).isPresent().isEqualTo(created.header("ETag"));
    }
    String path = token.expect(201).header("Location").orElseThrow();
    assertThat(owner.get(path).header("ETag")).isPresent().isEqualTo(token.header("ETag"));
    assertThat(management.get("/applications/key").header("ETag"))
        .isPresent()
        .isEqualTo(management.get("/applications/" + management.id()).header("ETag"));
    for (String list : List.of("/applications", "/proxies")) {
      assertThat(management.get(list).header("ETag")).isEmpty();
    }
  }

  @Test
  void oneOfManyConcurrentChangesOfOneVersionSucceeds() {
    for (Resource each : resources()) {
      String tag = each.tag();
      List<Integer> statuses =
          ConcurrentRequests.send(Collections.nCopies(4, () -> each.change(tag))).stream()
              .map(Response::status)
              .toList();
      assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 412);
    }
  }
}
