package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.Tables;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.fixture.Wire;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which applications come in on which proxies, and what is told of several faults at once. */
final class ProxyAuthorizationTest {

  private static final String URL_HEADER = "SVC-PROXY-URL";
  private static final String KEY_HEADER = "SVC-PROXY-KEY";

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  /** The three ways in, as header and value. */
  private List<Map.Entry<String, String>> ways() {
    return List.of(
        Map.entry(URL_HEADER, fixture.destination.url()),
        Map.entry(KEY_HEADER, fixture.proxy().path("key").asText()),
        Map.entry(KEY_HEADER, fixture.anonymousProxy().path("key").asText()));
  }

  private static Response invoke(Client client, Map.Entry<String, String> way) {
    return client.call("POST", "/proxy").header(way.getKey(), way.getValue()).json("{}").send();
  }

  private Client expiring() {
    String soon = OffsetDateTime.now(ZoneOffset.UTC).plusMinutes(10).toString();
    return fixture.tenant.application(
        TenantFixture.draft("expiring", "token:read").put("expires_at", soon));
  }

  @Test
  void expiringApplicationIsRejectedBeforeAndAfterExpiry() throws SQLException {
    Client lasting = expiring();
    Client expired = expiring();
    try (Tables tables = Tables.of(fixture.vault)) {
      tables.update(
          "UPDATE application SET expires_at = now() - interval '1 second' WHERE application_id ="
              + " ?::uuid",
          expired.id());
    }
    for (Map.Entry<String, String> way : ways()) {
      fixture.refusedBeforeAnythingLeft(invoke(lasting, way), 403, "forbidden");
      fixture.refusedBeforeAnythingLeft(invoke(expired, way), 401, "unauthenticated");
    }
  }

  @Test
  void foreignProxyIsReportedLikeUnknownProxy() {
    Client stranger = fixture.vault.newTenant().application("private", "token:use");
    Client useless = fixture.vault.newTenant().application("private", "token:read");
    String unknown = told(invoke(stranger, Map.entry(KEY_HEADER, "0".repeat(32))));

    for (Map.Entry<String, String> way : ways().subList(1, 3)) {
      assertThat(told(invoke(stranger, way))).isEqualTo(unknown);
      assertThat(told(invoke(useless, way))).isEqualTo(unknown);
      invoke(fixture.caller, way).expect(200);
    }
    assertThat(fixture.destination.count()).isEqualTo(2);
  }

  private String told(Response response) {
    JsonNode problem = fixture.refused(response, 404, "unknown-proxy");
    return problem.path("title").asText() + problem.path("detail").asText();
  }

  /** Each with all the faults of the lines after it. */
  @Test
  void bodyRejectionsFollowHeaderRejectionsInDefinedOrder() {
    Client limited = fixture.tenant.ruled(TenantFixture.rule(1, "/pci/", "reveal", "token:use"));
    String forbidden = expression(fixture.tenant.owner().token("secret", "/pii/"));
    String unknown = expression("no-such-token");
    String many =
        IntStream.range(0, 100).mapToObj(i -> expression("no-" + i)).collect(Collectors.joining());
    String large = "x".repeat(11 << 20);
    String url = fixture.destination.url();
    String unresolved = "https://nothing.invalid";
    fixture.refused(announceTooMuch(limited, "https://127.0.0.1"), 400, "destination-invalid");
    fixture.refused(send(limited, url, many + unknown + forbidden + large), 413, "body-too-large");
    fixture.refused(send(limited, url, many + unknown + forbidden), 400, "too-many-tokens");
    JsonNode problem =
        fixture.refused(send(limited, unresolved, unknown + forbidden), 400, "unknown-tokens");
    assertThat(problem.path("detail").asText())
        .contains("no-such-token")
        .doesNotContain(forbidden.substring(2, 10));
    fixture.refused(send(limited, unresolved, forbidden), 403, "tokens-forbidden");
    fixture.refused(send(limited, unresolved, ""), 502, "dns-failed");
    assertThat(fixture.destination.count()).isZero();
  }

  /** Without sending it: what is told on the headers does not wait for the body. */
  private Response announceTooMuch(Client client, String url) {
    try (Wire wire =
        new Wire(
            fixture.vault.port(),
            "POST /proxy HTTP/1.1",
            "SVC-API-KEY: " + client.key(),
            URL_HEADER + ": " + url,
            "Content-Type: text/plain",
            "Content-Length: " + (11 << 20))) {
      return wire.answer();
    }
  }

  private static String expression(String id) {
    return "{{" + id + "}}";
  }

  private static Response send(Client client, String url, String body) {
    return client.call("POST", "/proxy").header(URL_HEADER, url).body("text/plain", body).send();
  }
}
