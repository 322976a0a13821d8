package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tenant whose callers cannot name destinations with a request. */
final class EphemeralProxyTest {

  private static final String OFF = "url-header-off";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();

  @BeforeEach
  void switchOff() {
    fixture.tenant.changeEgress(egress -> egress.withUrlHeader(false));
  }

  @Test
  void urlHeaderIsRejectedAndRejectionIsRecorded() {
    String token = fixture.token("secret");

    fixture.refusedBeforeAnythingLeft(
        fixture.caller.call("GET", "/proxy").to("http://127.0.0.1").send(), 403, OFF);
    fixture.refusedBeforeAnythingLeft(
        fixture.post().json("[\"{{" + token + "}}\"]").send(), 403, OFF);
    String caller = fixture.caller.id();
    assertThat(fixture.tenant.log("operation=invoke"))
        .extracting(entry -> Json.members(entry, "message", "actor_id", "entity_id"))
        .hasSize(2)
        .containsOnly(List.of("Proxy invocation denied", caller, caller));
  }

  @Test
  void proxiesStillWorkAndTheUrlHeaderIsIgnoredThere() {
    String token = fixture.token("secret");
    JsonNode proxy = fixture.proxy();

    fixture
        .caller
        .call("POST", "/proxy")
        .through(proxy)
        .to("https://elsewhere.test")
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
