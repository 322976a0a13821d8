package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
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
  void urlHeaderIsRejectedAndRejectionIsRecorded() {
    String token = fixture.token("secret");

    fixture.refusedBeforeAnythingLeft(
        fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", "http://127.0.0.1").send(),
        403,
        OFF);
    fixture.refusedBeforeAnythingLeft(
        fixture.post().json("[\"{{" + token + "}}\"]").send(), 403, OFF);
    assertThat(StreamSupport.stream(fixture.tenant.log().spliterator(), false))
        .filteredOn(entry -> entry.path("operation").asText().equals("invoke"))
        .hasSize(2)
        .allSatisfy(
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
  void urlHeaderIsRejectedOnlyForItsTenantUntilReenabled() {
    Client stranger = fixture.vault.newTenant().application("private", "token:use");
    fixture.call(stranger, "POST", "/").send().expect(200);

    fixture.tenant.changeEgress(egress -> egress.withUrlHeader(true));
    fixture.post().send().expect(200);
  }
}
