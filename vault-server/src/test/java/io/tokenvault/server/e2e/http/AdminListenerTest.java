package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.server.assembly.HostParts;
import io.tokenvault.server.assembly.StartPreparation;
import io.tokenvault.server.assembly.VaultNode;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Admin;
import io.tokenvault.server.config.Configuration.Web;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.fixture.Wire;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two listeners, and which of them shows what. */
class AdminListenerTest {

  private static final RunningVault VAULT = RunningVault.shared();
  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

  private final TenantFixture tenant = VAULT.newTenant();
  private final String key = tenant.management().key();

  private Response admin(String method, String path) {
    return VAULT.adminCall(method, path).key(key).send();
  }

  @Test
  void managementEndpointsAreServed() {
    Response made =
        VAULT
            .adminCall("POST", "/applications")
            .key(key)
            .json(
                Json.object(
                    "name", "made there", "type", "private", "permissions", List.of("token:read")))
            .send()
            .expect(201);
    String path = "/applications/" + made.text("id");
    assertThat(tenant.management().get(path).expect(200).text("name")).isEqualTo("made there");
    admin("GET", "/permissions").expect(200);
    admin("GET", "/proxies").expect(200);
    admin("GET", "/logs").expect(200);
    admin("DELETE", path).expect(204);
    VAULT.adminCall("GET", "/applications").send().expectProblem(401, "unauthenticated");
  }

  @ParameterizedTest
  @CsvSource({"POST, /proxy/any/path", "GET, /tokens", "POST, /detokenize"})
  void dataEndpointsAndProxyAreNotServed(String method, String path) {
    try (HttpsDestination destination = HttpsDestination.start()) {
      VAULT
          .adminCall(method, path)
          .key(tenant.owner().key())
          .header("SVC-PROXY-URL", destination.url())
          .send()
          .expectProblem(404, "not-found");
      assertThat(destination.count()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/docs", "/docs/docs.js", "/metrics", "/console", "/console/index.html"})
  void mainListenerServesNoPage(String path) {
    VAULT.call("GET", path).key(key).send().expectProblem(404, "not-found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/readyz", "/openapi.json"})
  void bothListenersServePublicEndpointsWithoutKey(String path) {
    for (String url : List.of(VAULT.url(), VAULT.adminUrl())) {
      new Call("GET", URI.create(url + path)).send().expect(200);
    }
  }

  @Test
  void tracingHeadersAndErrorsMatchMainListener() {
    Response response = VAULT.adminCall("GET", "/nothing").header("SVC-TRACE-ID", "trace-1").send();
    response.expectProblem(404, "not-found");
    assertThat(response.header("SVC-TRACE-ID")).contains("trace-1");
    assertThat(response.header("X-Content-Type-Options")).contains("nosniff");
    admin("PATCH", "/applications").expectProblem(405, "method-not-allowed");
  }

  @Test
  void docsLoadNothingFromOtherOrigins() {
    Response page = VAULT.adminCall("GET", "/docs").send().expect(200);
    assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
    assertThat(page.header("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'")
        .doesNotContain("unsafe", "http");
    List<String> parts = LOADED.matcher(page.text()).results().map(part -> part.group(1)).toList();
    assertThat(parts).hasSizeGreaterThan(4).allMatch(part -> part.startsWith("/"));
    parts.forEach(part -> VAULT.adminCall("GET", part).send().expect(200));
  }

  /** A page elsewhere cannot have its own name lead here. */
  @ParameterizedTest
  @CsvSource({"localhost, 200", "127.0.0.1:8090, 200", "[::1], 200", "evil.example, 421"})
  void loopbackListenerAcceptsOnlyLocalHostNames(String host, int status) {
    for (String path : List.of("/metrics", "/healthz", "/applications")) {
      Response response =
          new Wire(adminPort(), "GET " + path + " HTTP/1.1", "Host: " + host, "SVC-API-KEY: " + key)
              .answer();
      assertThat(response.status()).as("%s", response).isEqualTo(status);
    }
  }

  private static int adminPort() {
    return URI.create(VAULT.adminUrl()).getPort();
  }

  @Test
  void configuredPortInUsePreventsStartAndIsNamed() {
    Map<String, String> taken = Map.of("VAULT_ADMIN_PORT", Integer.toString(VAULT.port()));
    assertThatThrownBy(() -> VAULT.node(taken).close())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "VAULT_ADMIN_PORT cannot be used: Cannot listen on 127.0.0.1:" + VAULT.port());
  }

  @Test
  void defaultPortInUseDisablesOnlyAdminListener() {
    Admin taken = new Admin("127.0.0.1", VAULT.port(), false);
    try (VaultNode vault =
        VaultNode.start(
            StartPreparation.of(with(Optional.of(taken)), HostParts.NONE), VAULT.backend())) {
      new Call("GET", URI.create(vault.url() + "/readyz")).send().expect(200);
      assertThat(vault.adminUrl()).isEmpty();
    }
  }

  @Test
  void listenerCanBeDisabled() {
    try (RunningVault.Node node = VAULT.node(Map.of("VAULT_ADMIN_PORT", "off"))) {
      node.call("GET", "/readyz").send().expect(200);
      assertThat(node.vault().adminUrl()).isEmpty();
    }
  }

  private static Configuration with(Optional<Admin> admin) {
    Configuration whole = Configuration.from(new HashMap<>(VAULT.settings()));
    Web web = whole.web();
    return new Configuration(
        new Web(
            web.host(),
            web.port(),
            admin,
            web.tls(),
            web.corsAllowedOrigins(),
            web.headers(),
            web.shutdownDelay(),
            web.load()),
        whole.warmUp(),
        whole.dataDirectory(),
        whole.database(),
        whole.databasePoolSize(),
        whole.databaseTimeouts(),
        whole.auditStream(),
        whole.checkpoints(),
        whole.masterKeysetFile(),
        whole.cvcLifetime(),
        whole.masterKeyUri(),
        whole.egress(),
        whole.proxyLimits(),
        whole.transforms(),
        whole.tracing());
  }
}
