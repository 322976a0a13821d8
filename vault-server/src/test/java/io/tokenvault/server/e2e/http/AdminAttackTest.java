package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Attacks on the admin listener by web pages in an operator's browser and by clients that can reach
 * its port.
 */
class AdminAttackTest {

  private static final RunningVault VAULT = RunningVault.shared();

  private final TenantFixture tenant = VAULT.newTenant();
  private final String key = tenant.management().key();

  private static Response admin(String... lines) {
    List<String> head = new ArrayList<>(List.of(lines));
    if (head.stream().noneMatch(line -> line.startsWith("Host:"))) {
      head.add("Host: localhost");
    }
    return RawRequest.exchange(VAULT.adminPort(), head.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example:8090",
        "localhost@evil.example",
        "evillocalhost",
        "[::1].evil.example"
      })
  void foreignHostNameIsRejected(String host) {
    for (String path : List.of("/metrics", "/console", "/docs", "/applications")) {
      Response response =
          admin("GET " + path + " HTTP/1.1", "Host: " + host, "SVC-API-KEY: " + key);
      assertThat(response.status()).as("%s", response).isIn(400, 421);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-Host: localhost",
        "X-Original-Host: localhost",
        "Forwarded: host=localhost;proto=http",
        "Origin: http://localhost"
      })
  void noOtherHeaderOverridesHost(String header) {
    Response response = admin("GET /metrics HTTP/1.1", "Host: evil.example", header);
    response.expectProblem(421, "foreign-name");
  }

  @Test
  void conflictingHostNamesAreRejected() {
    assertThat(admin("GET /metrics HTTP/1.1", "Host: localhost", "Host: evil.example").status())
        .isEqualTo(400);
    assertThat(admin("GET http://evil.example/metrics HTTP/1.1", "Host: localhost").status())
        .isIn(400, 421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/proxy",
        "//proxy",
        "/docs/%2e%2e/proxy",
        "/%70roxy",
        "/;/proxy",
        "/PROXY",
        "http://localhost/proxy"
      })
  void noPathSpellingReachesProxy(String path) {
    try (HttpsDestination destination = HttpsDestination.start()) {
      for (String method : List.of("GET", "POST")) {
        Response response =
            admin(
                method + " " + path + " HTTP/1.1",
                "SVC-API-KEY: " + tenant.owner().key(),
                "SVC-PROXY-URL: " + destination.url(),
                "Content-Length: 0");
        assertThat(response.status()).as("%s", response).isIn(400, 404, 405, 501);
        assertThat(response.header("SVC-PROXY-DESTINATION-STATUS")).isEmpty();
      }
      assertThat(destination.count()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"//metrics", "/%63onsole", "/docs/../console"})
  void noPathSpellingShowsPageOnMainListener(String path) {
    Response response =
        RawRequest.exchange(VAULT.port(), "GET " + path + " HTTP/1.1", "SVC-API-KEY: " + key);
    assertThat(response.status()).as("%s", response).isIn(400, 404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null"})
  void foreignOriginsReceiveNoCorsPermission(String origin) {
    List<Response> responses =
        List.of(
            admin(
                "OPTIONS /applications HTTP/1.1",
                "Origin: " + origin,
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: svc-api-key,content-type",
                "Access-Control-Request-Private-Network: true"),
            admin("GET /metrics HTTP/1.1", "Origin: " + origin),
            admin("GET /console HTTP/1.1", "Origin: " + origin),
            admin("GET /applications HTTP/1.1", "Origin: " + origin, "SVC-API-KEY: " + key));
    assertThat(responses)
        .allMatch(
            response ->
                response.headers().map().keySet().stream()
                    .noneMatch(
                        name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-")));
    assertThat(responses.get(0).status()).isNotIn(200, 204);
  }

  /** A page can send forms, plain text and cookies to any origin; none of them authenticates. */
  @Test
  void requestsWithoutCorsPreflightAreUnauthenticated() {
    for (Map.Entry<String, String> header :
        Map.of(
                "Cookie", "SVC-API-KEY=" + key,
                "Authorization", "Bearer " + key,
                "X-Nothing", "nothing")
            .entrySet()) {
      VAULT
          .adminCall("POST", "/applications?SVC-API-KEY=" + key + "&svc-api-key=" + key)
          .header(header.getKey(), header.getValue())
          .body(
              "text/plain", "{\"name\":\"x\",\"type\":\"private\",\"SVC-API-KEY\":\"" + key + "\"}")
          .send()
          .expectProblem(401, "unauthenticated");
    }
  }

  /** Otherwise, any client that can reach the port could write to the log. */
  @Test
  void logNeverQuotesRequestContent() {
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.addAppender(log);
    try {
      for (String host : List.of("quoted@x", "[quoted", "[::1].quoted", "quoted:port", "x:99999")) {
        admin("GET /metrics HTTP/1.1", "Host: " + host);
        admin("GET http://" + host + "/metrics HTTP/1.1", "Host: " + host);
      }
      for (String path :
          List.of("/quoted%", "/quoted%zz", "/%00quoted", "/quoted/..;/", "quoted")) {
        admin("GET " + path + " HTTP/1.1");
      }
      admin("GET /metrics HTTP/1.1", "Quoted Name: x");
      admin("GET /metrics HTTP/1.1", "Content-Length: quoted");
      admin("GET /metrics HTTP/1.1", "Cookie: \"quoted=;", "Content-Type: quoted;charset=quoted");
      admin("QUOTED\u0001 /metrics HTTP/1.1");
      admin("GET /metrics quoted/1.1");
    } finally {
      root.detachAppender(log);
    }
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).matches("(?s).*(quoted|99999).*"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/../../logback.xml",
        "/console/..%2f..%2flogback.xml",
        "/console/META-INF/MANIFEST.MF",
        "/docs/openapi.class"
      })
  void filesOtherThanPagesAreNotServed(String path) {
    Response response = admin("GET " + path + " HTTP/1.1");
    assertThat(response.status()).as("%s", response).isIn(400, 404);
  }
}
