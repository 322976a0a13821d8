package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.Wire;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tenant whose callers cannot name destinations with a request. */
final class EphemeralProxyTest {

  private static final String OFF = "url-header-off";

  private final ProxyFixture fixture = new ProxyFixture();

  @BeforeEach
  void switchOff() {
    fixture.tenant.changeEgress(egress -> egress.withUrlHeader(false));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theUrlHeaderIsRefusedWithAndWithoutTokens() {
    String token = fixture.token("secret");

    fixture.refusedBeforeAnythingLeft(fixture.call("GET", "/").send(), 403, OFF);
    fixture.refusedBeforeAnythingLeft(
        fixture.post().json("[\"{{" + token + "}}\"]").send(), 403, OFF);
  }

  @Test
  void theRefusalComesBeforeTheBodyIsRead() {
    try (Wire wire =
        new Wire(
            fixture.vault,
            "POST /proxy HTTP/1.1",
            "Host: vault.test",
            "SVC-API-KEY: " + fixture.caller.key(),
            "SVC-PROXY-URL: " + fixture.destination.url(),
            "Content-Type: application/json",
            "Content-Length: 1000000")) {
      assertThat(wire.head().status()).isEqualTo(403);
    }
  }

  @Test
  void itIsRecordedAsDenied() {
    fixture.post().send().expect(403);

    assertThat(StreamSupport.stream(fixture.tenant.log().spliterator(), false))
        .filteredOn(entry -> entry.path("operation").asText().equals("invoke"))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.path("message").asText()).isEqualTo("Proxy invocation denied");
              assertThat(entry.path("actor_id").asText()).isEqualTo(fixture.caller.id());
              assertThat(entry.path("entity_id").asText()).isEqualTo(fixture.caller.id());
            });
  }

  @Test
  void proxiesStillWorkAndTheUrlHeaderIsIgnoredThere() {
    String token = fixture.token("secret");
    JsonNode proxy = fixture.proxy();

    fixture
        .caller
        .call("POST", "/proxy")
        .header("SVC-PROXY-KEY", proxy.path("key").asText())
        .header("SVC-PROXY-URL", "https://elsewhere.test")
        .json("[\"{{" + token + "}}\"]")
        .send()
        .expect(200);

    assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
  }

  @Test
  void anonymousProxiesStillWork() {
    fixture
        .vault
        .call("POST", "/proxy")
        .header("SVC-PROXY-KEY", fixture.anonymousProxy().path("key").asText())
        .send()
        .expect(200);
  }

  /** The caller of each line did everything wrong that those of the lines after it did. */
  @Test
  void refusalsComeInTheirOrder() {
    Client useless = fixture.tenant.application("private", "token:create");
    String bad = "http://127.0.0.1";

    fixture.refused(named("key_" + "a".repeat(38), bad), 401, "unauthenticated");
    fixture.refused(named(useless.key(), bad), 403, "forbidden");
    fixture.refused(named(fixture.caller.key(), bad), 403, OFF);
    fixture.refused(
        fixture
            .caller
            .call("POST", "/proxy")
            .header("SVC-PROXY-URL", bad)
            .header("SVC-PROXY-URL", "https://other.test")
            .send(),
        403,
        OFF);
    fixture.tenant.changeEgress(egress -> egress.withUrlHeader(true));
    fixture.refused(named(fixture.caller.key(), bad), 400, "destination-invalid");
  }

  private Response named(String key, String url) {
    return fixture.vault.call("POST", "/proxy").key(key).header("SVC-PROXY-URL", url).send();
  }

  @Test
  void noDestinationAtAllIsStillABadRequest() {
    Response response = fixture.caller.call("POST", "/proxy").send();

    fixture.refusedBeforeAnythingLeft(response, 400, "destination-invalid");
  }

  @Test
  void itHoldsForThisTenantOnlyAndUntilItIsSwitchedOn() {
    Client stranger = fixture.vault.newTenant().application("private", "token:use");
    fixture.call(stranger, "POST", "/").send().expect(200);

    fixture.tenant.changeEgress(egress -> egress.withUrlHeader(true));
    fixture.post().send().expect(200);
  }
}
