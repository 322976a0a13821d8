package io.tokenvault.server.e2e.token;

import static io.tokenvault.server.e2e.fixture.HttpsDestination.OTHER_HOST;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.access.Container;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tokens of bound containers go where the operator lets them, and nowhere else. */
final class BoundContainersTest {

  private static final String BOUND = "tokens-bound";
  private static final String PCI = "/pci/";
  private static final String ELSEWHERE = "api.stripe.com";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  private final Client owner = fixture.tenant.owner();

  private void allow(String container, String... hosts) {
    for (String host : hosts) {
      fixture.tenant.bind(container, host);
    }
  }

  private static Response sent(Call call, String token) {
    return call.json("[\"{{" + token + "}}\"]").send();
  }

  private Response byUrl(String token) {
    return sent(fixture.call(owner, "POST", ""), token);
  }

  private Response byProxy(JsonNode proxy, String token) {
    return sent(owner.call("POST", "/proxy").through(proxy), token);
  }

  private void arrives(Response response) {
    response.expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
  }

  private void refused(Response response) {
    fixture.refusedBeforeAnythingLeft(response, 403, BOUND);
  }

  @Test
  void boundTokensReachNoOtherHostByUrlOrProxy() {
    allow(PCI, ELSEWHERE);
    String token = owner.token("secret", PCI);

    refused(byUrl(token));
    refused(byProxy(fixture.proxy(), token));
    assertThat(byUrl(token).text()).doesNotContain("secret").contains(token);
  }

  @Test
  void boundTokensReachTheirHostsByUrlAndProxy() {
    allow(PCI, ELSEWHERE, HttpsDestination.HOST);
    String token = owner.token("secret", PCI);

    arrives(byUrl(token));
    arrives(byProxy(fixture.proxy(), token));
    Call other = owner.call("POST", "/proxy").to(fixture.destination.url(OTHER_HOST));
    fixture.refused(sent(other, token), 403, BOUND);
    assertThat(fixture.destination.count()).isEqualTo(2);
  }

  @Test
  void tokensUnderABoundContainerAreBoundAndThoseAboveItAreNot() {
    allow(PCI, ELSEWHERE);

    refused(byUrl(owner.token("secret", "/pci/eu/cards/")));
    arrives(byUrl(owner.token("secret", "/")));
    arrives(byUrl(owner.token("secret", "/pci2/")));
  }

  @Test
  void boundTokenIsRejectedAnywhereInRequest() {
    allow(PCI, ELSEWHERE);
    String expression = "{{" + owner.token("secret", PCI) + "}}";

    Stream.of(
            fixture.call(owner, "GET", "/" + percentEncoded(expression)),
            fixture.call(owner, "GET", "/x?y=" + percentEncoded(expression)),
            fixture.call(owner, "GET", "/").header("X-Secret", expression),
            fixture.call(owner, "POST", "/").body("text/plain", expression),
            fixture.call(owner, "POST", "/").body("application/x-www-form-urlencoded", expression),
            fixture.call(owner, "POST", "/").json("{\"a\":[\"" + expression + "\"]}"))
        .forEach(call -> refused(call.send()));
  }

  private static String percentEncoded(String expression) {
    return expression.replace("{", "%7B").replace("}", "%7D");
  }

  @Test
  void oneBoundTokenAmongOthersRejectsWholeRequest() {
    allow(PCI, ELSEWHERE);
    String free = owner.token("free");
    String bound = owner.token("secret", PCI);

    Response response =
        fixture
            .call(owner, "POST", "/")
            .json("[\"{{" + free + "}}\",\"{{" + bound + "}}\"]")
            .send();

    refused(response);
    assertThat(response.text()).contains(bound).doesNotContain(free);
    assertThat(entries("use", free)).isEmpty();
  }

  @Test
  void rejectionIsRecordedAndUseIsNot() {
    allow(PCI, ELSEWHERE);
    String token = owner.token("secret", PCI);
    JsonNode proxy = fixture.proxy();

    refused(byUrl(token));
    refused(byProxy(proxy, token));

    assertThat(entries("use", token)).containsExactly("Token use denied", "Token use denied");
    assertThat(entries("invoke", HttpsDestination.HOST)).containsExactly("Proxy invocation denied");
    assertThat(entries("invoke", proxy.path("id").asText()))
        .containsExactly("Proxy invocation denied");
  }

  private List<String> entries(String operation, String entityId) {
    return fixture.tenant.messages("operation=" + operation + "&entity_id=" + entityId);
  }

  @Test
  void changeAppliesFromNextRequest() {
    String token = owner.token("secret", PCI);
    for (int i = 0; i < 3; i++) {
      arrives(byUrl(token));
      allow(PCI, ELSEWHERE);
      fixture.refused(byUrl(token), 403, BOUND);
      fixture.tenant.changeEgress(egress -> egress.without(new Container(PCI), Optional.empty()));
    }
    assertThat(fixture.destination.count()).isEqualTo(3);
  }

  @Test
  void anotherTenantIsNotAffected() {
    allow("/", ELSEWHERE);
    Client stranger = fixture.vault.newTenant().owner();
    String token = stranger.token("secret", PCI);

    arrives(sent(fixture.call(stranger, "POST", "/"), token));
  }

  @Test
  void unboundContainersCanBeDeniedByUrlButNotByProxy() {
    fixture.tenant.changeEgress(egress -> egress.withUnboundByUrl(false));
    allow(PCI, HttpsDestination.HOST);
    String unbound = owner.token("secret");

    refused(byUrl(unbound));
    arrives(byUrl(owner.token("secret", PCI)));
    arrives(byProxy(fixture.proxy(), unbound));
  }

  @Test
  void callerWithoutTokenUseLearnsNothingOfBindings() {
    allow(PCI, ELSEWHERE);
    String token = owner.token("secret", PCI);
    Client other = fixture.tenant.ruled(TenantFixture.rule(1, "/pii/", "reveal", "token:use"));

    fixture.refusedBeforeAnythingLeft(
        sent(fixture.call(other, "POST", "/"), token), 403, "tokens-forbidden");
  }
}
