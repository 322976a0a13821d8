package io.tokenvault.server.e2e.application;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A change on one node applies to the next request on another node, which has cached the old state.
 */
@Execution(ExecutionMode.CONCURRENT)
final class CachedDecisionTest {

  private static final int ALTERNATIONS = 5;

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  private final RunningVault.Node node = RunningVault.sharedNode();
  private final JsonNode proxy = fixture.proxy();
  private final Client management = fixture.tenant.management();

  /** Sends token data through the proxy, on the other node. */
  private Response use(Client client, String token) {
    return node.call("POST", "/proxy")
        .key(client.key())
        .through(proxy)
        .json(Json.object("data", "{{ " + token + " }}"))
        .send();
  }

  private Response read(Client client, String token) {
    return node.call("GET", "/tokens/" + token).key(client.key()).send();
  }

  private Client applicationOf(ObjectNode... rules) {
    return fixture.tenant.application(application(rules));
  }

  private static ObjectNode application(ObjectNode... rules) {
    return Json.object("name", "changing", "type", "private", "rules", List.of(rules));
  }

  private void change(Client client, ObjectNode... rules) {
    ObjectNode body = application(rules);
    body.remove("type");
    management.put("/applications/" + client.id(), body).expect(200);
  }

  private static ObjectNode allPermissionsIn(String container) {
    return TenantFixture.rule(
        1, container, "reveal", "token:use", "token:read", "token:create", "token:update");
  }

  private long entryCount(String message, String entity) {
    return Collections.frequency(fixture.tenant.messages("entity_id=" + entity), message);
  }

  @Test
  void cachedRevokedKeyIsRejected() {
    Client client = applicationOf(allPermissionsIn("/"));
    String token = client.token("secret");
    use(client, token).expect(200);
    use(client, token).expect(200);
    read(client, token).expect(200);

    management.post("/applications/" + client.id() + "/regenerate").expect(200);

    use(client, token).expect(401);
    read(client, token).expect(401);
    node.call("POST", "/tokens")
        .key(client.key())
        .json(Json.object("type", "token", "data", "x"))
        .send()
        .expect(401);
    node.call("POST", "/tokens").key(client.key()).body("application/json", "{").send().expect(401);
    assertThat(fixture.destination.count()).isEqualTo(2);
    assertThat(entryCount("Token used", token)).isEqualTo(2);
    assertThat(entryCount("Token retrieved", token)).isEqualTo(1);
  }

  @Test
  void cachedChildIsLimitedByCurrentPermissionsOfItsCreator() {
    Client creator =
        fixture.tenant.application(
            application(allPermissionsIn("/")).put("can_create_expiring_applications", true));
    String token = creator.token("secret");
    JsonNode everywhere = TenantFixture.condition("container", "starts_with", "/");
    ObjectNode rule = TenantFixture.conditional(1, "reveal", List.of(everywhere), "token:read");
    ObjectNode draft = TenantFixture.draft("expiring", List.of(rule));
    Client child = Client.of(fixture.vault, creator.post("/applications", draft).expect(201));
    read(child, token).expect(200);

    change(creator, allPermissionsIn("/elsewhere/"));
    read(child, token).expectProblem(403, "forbidden");
    change(creator, allPermissionsIn("/"));
    read(child, token).expect(200);

    management.delete("/applications/" + creator.id()).expect(204);
    read(child, token).expectProblem(403, "forbidden");
  }

  @Test
  void changedProxyUsesNewDestination() {
    String token = fixture.token("moved");
    use(fixture.caller, token).expect(200);
    use(fixture.caller, token).expect(200);
    assertThat(fixture.destination.count()).isEqualTo(2);
    try (HttpsDestination other = HttpsDestination.start()) {
      fixture.changeDestination(proxy, other.url());

      use(fixture.caller, token).expect(200);
      assertThat(ProxyFixture.receivedBody(other.received())).isEqualTo("{\"data\":\"moved\"}");
      fixture.through(node, proxy).body("application/octet-stream", "as it is").send().expect(200);
      assertThat(ProxyFixture.receivedBody(other.received())).isEqualTo("as it is");
    }
    assertThat(fixture.destination.count()).isEqualTo(2);
    assertThat(entryCount("Token used", token)).isEqualTo(3);
  }

  @Test
  void anonymousProxyThatNowRequiresKeyOrIsDeletedSendsNothing() {
    JsonNode open = fixture.anonymousProxy();
    Call anonymous = node.call("POST", "/proxy").through(open).json(Json.object());
    anonymous.send().expect(200);

    fixture.changeDestination(open, fixture.destination.url());
    fixture.expectError(anonymous.send(), 401, "unauthenticated");
    management.delete("/proxies/" + open.path("id").asText()).expect(204);
    fixture.expectError(anonymous.send(), 404, "unknown-proxy");

    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void staleDecisionSendsNothing() {
    Client client = applicationOf(allPermissionsIn("/"));
    String token = client.token("contested");
    int sent = 0;
    for (int i = 0; i < ALTERNATIONS; i++) {
      use(client, token).expect(200);
      read(client, token).expect(200);
      sent++;

      change(client, allPermissionsIn("/elsewhere/"));

      use(client, token).expect(403);
      read(client, token).expect(403);
      assertThat(fixture.destination.count()).isEqualTo(sent);

      change(client, allPermissionsIn("/"));
    }
    assertThat(entryCount("Token used", token)).isEqualTo(sent);
    assertThat(entryCount("Token use denied", token)).isEqualTo(sent);
    assertThat(entryCount("Token read denied", token)).isEqualTo(sent);
  }

  @Test
  void changedTokenIsSentWithCurrentData() {
    Client client = applicationOf(allPermissionsIn("/"));
    String token = client.token("before");
    use(client, token).expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("{\"data\":\"before\"}");

    client.patch("/tokens/" + token, "{\"data\":\"after\"}").expect(200);
    use(client, token).expect(200);

    assertThat(fixture.receivedBody()).isEqualTo("{\"data\":\"after\"}");
    management.delete("/applications/" + client.id()).expect(204);
    use(client, token).expect(401);
  }

  @Test
  void newBindingAppliesDespiteCachedToken() {
    String token = fixture.token("bound");
    use(fixture.caller, token).expect(200);

    fixture.tenant.bindContainer("/", "elsewhere.example.com");

    use(fixture.caller, token).expect(403);
    assertThat(fixture.destination.count()).isEqualTo(1);
  }
}
