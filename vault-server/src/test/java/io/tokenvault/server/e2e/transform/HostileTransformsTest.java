package io.tokenvault.server.e2e.transform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hostile transforms in a server harm no other tenant. */
@Tag("long")
final class HostileTransformsTest {

  private static final Map<String, String> LIMITS =
      Map.of(
          "VAULT_TRANSFORM_WORKERS", "3",
          "VAULT_TRANSFORM_CPU_MS", "2000",
          // On a busy machine, a transform may take much more time than CPU time.
          "VAULT_TRANSFORM_TIMEOUT_MS", "20000");

  @AutoClose private static RunningVault vault;
  @AutoClose private static HttpsDestination destination;
  private static ProxyClient offender;
  private static ProxyClient neighbor;

  @BeforeAll
  static void start() throws IOException {
    vault = RunningVault.start(LIMITS);
    destination = HttpsDestination.start();
    offender = createProxyClient();
    neighbor = createProxyClient();
  }

  /** A tenant's client and its proxy. */
  private record ProxyClient(Client caller, JsonNode proxy) {

    Response invoke(String attack) {
      return invoke(Json.object("attack", attack));
    }

    Response invoke(JsonNode body) {
      return caller.call("POST", "/proxy").through(proxy).json(body).send();
    }
  }

  private static ProxyClient createProxyClient() throws IOException {
    TenantFixture tenant = vault.newTenant();
    JsonNode proxy = tenant.proxy(TenantFixture.transformingDraft(destination.url(), code()));
    return new ProxyClient(tenant.application("private", "token:create", "token:use"), proxy);
  }

  private static String code() throws IOException {
    try (InputStream code =
        HostileTransformsTest.class.getResourceAsStream("/transforms/hostile.js")) {
      return new String(code.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<String> visibleGlobals(ProxyClient tenant) {
    tenant.invoke("harmless").expect(200);
    return Json.texts(Json.parse(ProxyFixture.receivedBody(destination.received())).path("seen"));
  }

  private static void assertTenantsUnaffected() {
    assertThat(visibleGlobals(offender)).containsExactly("undefined", "undefined");
    assertThat(visibleGlobals(neighbor)).containsExactly("undefined", "undefined");
  }

  @ParameterizedTest
  @CsvSource({
    "whileTrue, transform-limit",
    "memory, transform-limit",
    "oneText, transform-limit",
    "regex, transform-limit",
    "stack, transform-limit",
    "hugeBody, transform-limit",
    "neverSettles, transform-failed",
    "splitHeader, transform-failed",
    "manyHeaders, transform-failed",
    "longHeader, transform-failed",
    "proxyThrown, transform-failed",
    "engineText, transform-failed"
  })
  void attackIsReportedAndNothingIsSent(String attack, String type) {
    int before = destination.count();

    Response response = offender.invoke(attack).expect(500);

    assertThat(response.get("proxy_error").path("type").asText())
        .as("%s", response)
        .isEqualTo("urn:tokenvault:problem:" + type);
    assertThat(response.textWithoutTraceId())
        .doesNotContain("4111", "mozilla", "java", "Exception");
    assertThat(destination.count()).isEqualTo(before);
    assertTenantsUnaffected();
  }

  @Test
  void otherTenantsAreServedWhileOffenderRuns() {
    assertTenantsUnaffected();
    CompletableFuture<Response> loop =
        CompletableFuture.supplyAsync(() -> offender.invoke("whileTrue"));
    for (int i = 0; i < 3; i++) {
      assertThat(visibleGlobals(neighbor)).containsExactly("undefined", "undefined");
      neighbor.caller().token("4111");
    }

    assertThat(loop).as("the offender's response").isNotDone();
    loop.join().expect(500);
  }
}
