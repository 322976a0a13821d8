package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a request is not sent again if its server is killed before the response. */
@Tag("long")
final class UnknownOutcomeTest {

  private final Path data = DataDirectories.withTenant();

  @Test
  @Timeout(600)
  void requestOfKilledServerIsNotSentAgain() {
    try (HttpsDestination destination = HttpsDestination.start()) {
      destination.respond(new MockResponse.Builder().headersDelay(10, TimeUnit.MINUTES).build());
      Map<String, String> settings = settings();
      String key;
      try (VaultProcess server = VaultProcess.serve(settings)) {
        JsonNode draft = TenantFixture.draft("private", "token:use");
        Client management = new Client(server.url(), DataDirectories.tenant());
        key = management.post("/applications", draft).expect(201).text("key");
        CompletableFuture<Response> first =
            CompletableFuture.supplyAsync(() -> charge(server, key, destination));
        destination.received();
        server.kill();
        assertThatThrownBy(() -> first.get(20, TimeUnit.SECONDS))
            .hasCauseInstanceOf(UncheckedIOException.class);
      }
      try (VaultProcess server = VaultProcess.serve(settings)) {
        VaultProcess.awaitThat(
            "the first request to count as ended",
            () -> !type(charge(server, key, destination)).endsWith("request-running"));

        Response repeat = charge(server, key, destination);

        assertThat(type(repeat.expect(409))).isEqualTo("urn:tokenvault:problem:outcome-unknown");
        assertThat(destination.count()).isEqualTo(1);
      }
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = DataDirectories.settings(data);
    settings.putAll(HttpsDestination.settings(data.resolveSibling("ca.pem")));
    settings.put("VAULT_PROXY_ANSWER_TIMEOUT_MS", "600000");
    return settings;
  }

  private static Response charge(VaultProcess server, String key, HttpsDestination destination) {
    return new Client(server.url(), key)
        .call("POST", "/proxy/charges")
        .to(destination.url())
        .header(Call.IDEMPOTENCY_KEY, "c-1")
        .json("{}")
        .send();
  }

  private static String type(Response response) {
    return response.get("proxy_error").path("type").asText();
  }
}
