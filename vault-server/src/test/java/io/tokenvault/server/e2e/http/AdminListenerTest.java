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
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
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

/** The endpoints and pages that the main listener and the admin listener serve. */
class AdminListenerTest {

  private static final RunningVault VAULT = RunningVault.shared();
  private static final String CARD = "4242424242424242";
  private static final String MASK = "XXXXXXXXXXXX4242";
  private static final Pattern LINK = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

  private final TenantFixture tenant = VAULT.newTenant();
  private final String key = tenant.management().key();

  private Response admin(String method, String path) {
    return VAULT.adminCall(method, path).key(key).send();
  }

  @Test
  void managementEndpointsAreServed() {
    Response created =
        VAULT
            .adminCall("POST", "/applications")
            .key(key)
            .json(TenantFixture.draft("private", "token:read").put("name", "made there"))
            .send()
            .expect(201);
    String path = "/applications/" + created.text("id");
    assertThat(tenant.management().get(path).expect(200).text("name")).isEqualTo("made there");
    admin("GET", "/permissions").expect(200);
    admin("GET", "/proxies").expect(200);
    admin("GET", "/logs").expect(200);
    admin("DELETE", path).expect(204);
    VAULT.adminCall("GET", "/applications").send().expectProblem(401, "unauthenticated");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /proxy/any/path, 404, not-found",
    "POST, /tokenize, 404, not-found",
    "POST, /detokenize, 404, not-found",
    "POST, /tokens/search, 405, method-not-allowed",
    "PATCH, /tokens/any, 405, method-not-allowed",
    "DELETE, /tokens/any, 405, method-not-allowed"
  })
  void proxyAndOtherDataEndpointsAreNotServed(
      String method, String path, int status, String problem) {
    try (HttpsDestination destination = HttpsDestination.start()) {
      VAULT
          .adminCall(method, path)
          .key(tenant.owner().key())
          .to(destination.url())
          .send()
          .expectProblem(status, problem);
      assertThat(destination.count()).isZero();
    }
  }

  /** Sends each request twice, since the second one finds the caller in the cache. */
  @Test
  void tokensAreCreatedListedAndReadWithMasksOnlyAndRecorded() {
    Client owner = tenant.owner();
    for (int i = 0; i < 2; i++) {
      Response created = createToken(owner, Optional.empty());
      String path = "/tokens/" + created.expect(201).text("id");

      assertThat(created.text("data")).isEqualTo(MASK);
      for (int j = 0; j < 2; j++) {
        assertThat(admin(owner, path).expect(200).text("data")).isEqualTo(MASK);
      }
      assertThat(admin(owner, "/tokens").expect(200).text()).contains(MASK).doesNotContain(CARD);
      assertThat(owner.get(path).expect(200).text("data")).isEqualTo(CARD);
      assertThat(operations("entity_id=" + created.text("id")))
          .containsExactly("read", "read", "read", "create");
      assertThat(operations("operation=search&actor_id=" + owner.id())).hasSize(i + 1);
    }
  }

  @Test
  void deniedTokenRequestsAreRecorded() {
    Client owner = tenant.owner();
    String path = "/tokens/" + owner.token(Json.object("type", "card_number", "data", CARD));
    Client creator = tenant.application("public", "token:create");

    admin(creator, path).expectProblem(403, "forbidden");
    admin(creator, "/tokens").expectProblem(403, "forbidden");
    createToken(tenant.reader("reveal"), Optional.empty()).expectProblem(403, "forbidden");
    VAULT.adminCall("GET", path).send().expectProblem(401, "unauthenticated");

    assertThat(operations("actor_id=" + creator.id())).containsExactly("search", "read");
  }

  /** The main listener has recorded a response that contains the data. */
  @Test
  void revealedResponseIsNotReplayed() {
    Client owner = tenant.owner();
    Response revealed = owner.call("POST", "/tokens").idempotent("k").json(card()).send();
    assertThat(revealed.expect(201).text("data")).isEqualTo(CARD);

    Response replayed = createToken(owner, Optional.of("k"));

    replayed.expectProblem(403, "forbidden");
    assertThat(replayed.text()).doesNotContain(CARD);
  }

  private static Response createToken(Client client, Optional<String> idempotencyKey) {
    Call call = VAULT.adminCall("POST", "/tokens").key(client.key()).json(card());
    idempotencyKey.ifPresent(call::idempotent);
    return call.send();
  }

  private static Object card() {
    return Json.object("type", "card_number", "data", CARD);
  }

  private static Response admin(Client client, String path) {
    return VAULT.adminCall("GET", path).key(client.key()).send();
  }

  private List<String> operations(String filter) {
    return Json.each(tenant.log(filter), "operation");
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

  @ParameterizedTest
  @CsvSource({"/docs, 4", "/console, 2"})
  void pagesLoadNothingFromOtherOrigins(String path, int exclusiveMinimum) {
    Response page = VAULT.adminCall("GET", path).send().expect(200);
    assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
    assertThat(page.header("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .doesNotContain("unsafe", "http");
    List<String> parts = LINK.matcher(page.text()).results().map(part -> part.group(1)).toList();
    assertThat(parts).hasSizeGreaterThan(exclusiveMinimum).allMatch(part -> part.startsWith("/"));
    parts.forEach(part -> VAULT.adminCall("GET", part).send().expect(200));
  }

  /** Prevents DNS rebinding, by which a foreign page's host name resolves to loopback. */
  @ParameterizedTest
  @CsvSource({"localhost, 200", "127.0.0.1:8090, 200", "[::1], 200", "evil.example, 421"})
  void loopbackListenerAcceptsOnlyLocalHostNames(String host, int status) {
    for (String path : List.of("/metrics", "/healthz", "/applications")) {
      String[] head = {"GET " + path + " HTTP/1.1", "Host: " + host, "SVC-API-KEY: " + key};
      RawRequest.exchange(VAULT.adminPort(), head).expect(status);
    }
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
            StartPreparation.of(configurationWith(Optional.of(taken)), HostParts.NONE),
            VAULT.backend(),
            System::nanoTime,
            unused -> {})) {
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

  private static Configuration configurationWith(Optional<Admin> admin) {
    Configuration original = Configuration.from(new HashMap<>(VAULT.settings()));
    Web web = original.web();
    return new Configuration(
        new Web(web.http(), admin, web.shutdownDelay(), web.apiMemory(), web.rates()),
        original.warmUp(),
        original.dataDirectory(),
        original.database(),
        original.databasePoolSize(),
        original.databaseLimits(),
        original.databaseWait(),
        original.auditStream(),
        original.checkpoints(),
        original.masterKeysetFile(),
        original.cvcLifetime(),
        original.masterKeyUri(),
        original.egressPolicy(),
        original.proxy(),
        original.keepsResponses(),
        original.transforms(),
        original.isolationRequired(),
        original.tracing());
  }
}
