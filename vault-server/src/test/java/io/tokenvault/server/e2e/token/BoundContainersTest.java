package io.tokenvault.server.e2e.token;

import static io.tokenvault.server.e2e.fixture.HttpsDestination.OTHER_HOST;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tokens of bound containers are sent only to the hosts of the binding. */
final class BoundContainersTest {

  private static final String BOUND = "tokens-bound";
  private static final String PCI = "/pci/";
  private static final String ELSEWHERE = "api.stripe.com";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  private final Client owner = fixture.tenant.owner();

  private void bindHosts(String container, String... hosts) {
    for (String host : hosts) {
      fixture.tenant.bindContainer(container, host);
    }
  }

  private static Response send(Call call, String token) {
    return call.json("[\"{{" + token + "}}\"]").send();
  }

  private Response byUrl(String token) {
    return send(fixture.call(owner, "POST", ""), token);
  }

  private Response byProxy(JsonNode proxy, String token) {
    return send(owner.call("POST", "/proxy").through(proxy), token);
  }

  private void assertForwarded(Response response) {
    response.expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
  }

  private void assertRejected(Response response) {
    fixture.expectErrorBeforeSending(response, 403, BOUND);
  }

  @Test
  void boundTokensReachTheirHostsByUrlAndProxy() {
    bindHosts(PCI, ELSEWHERE, HttpsDestination.HOST);
    String token = owner.token("secret", PCI);

    assertForwarded(byUrl(token));
    assertForwarded(byProxy(fixture.proxy(), token));
    Call other = owner.call("POST", "/proxy").to(fixture.destination.url(OTHER_HOST));
    fixture.expectError(send(other, token), 403, BOUND);
    assertThat(fixture.destination.count()).isEqualTo(2);
  }

  @Test
  void rejectionIsRecordedAndUseIsNot() {
    bindHosts(PCI, ELSEWHERE);
    String token = owner.token("secret", PCI);
    JsonNode proxy = fixture.proxy();

    assertRejected(byUrl(token));
    assertRejected(byProxy(proxy, token));

    assertThat(entries("use", token)).containsExactly("Token use denied", "Token use denied");
    assertThat(entries("invoke", HttpsDestination.HOST)).containsExactly("Proxy invocation denied");
    assertThat(entries("invoke", proxy.path("id").asText()))
        .containsExactly("Proxy invocation denied");
  }

  private List<String> entries(String operation, String entityId) {
    return fixture.tenant.messages("operation=" + operation + "&entity_id=" + entityId);
  }
}
