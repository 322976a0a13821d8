package io.tokenvault.server.e2e.operations;

import static io.tokenvault.server.e2e.fixture.TenantFixture.proxyDraft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.assembly.VaultNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.PlantedSecrets;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;

/**
 * Plants secrets wherever a secret can occur, sends them to every endpoint in valid and invalid
 * requests, and searches for them in the responses, in the log and in the files on disk.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SecretLeakTest {

  private static final String PUBLIC = "not-secret-" + UUID.randomUUID();

  private final PlantedSecrets data = planted("token data");
  private final PlantedSecrets configuration = planted("proxy configuration");
  private final PlantedSecrets authorization = planted("Authorization header");
  private final PlantedSecrets query = planted("query value");
  private final PlantedSecrets input = planted("refused input");
  private final List<PlantedSecrets> keys = new ArrayList<>();
  private final List<PlantedSecrets> proxyKeys = new ArrayList<>();
  private final List<Response> responses = new ArrayList<>();
  private final List<Response> proxyAnswers = new ArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();
  private Path files;
  private FileTime start;

  /** Returns a secret with characters that are encoded differently in JSON, URLs and headers. */
  private static PlantedSecrets planted(String name) {
    return new PlantedSecrets(name, "pl\"anted-" + UUID.randomUUID());
  }

  @BeforeAll
  void sendEverythingThroughEverything() {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Logger ours =
        (Logger) LoggerFactory.getLogger(VaultNode.class.getPackageName().split("\\.")[0]);
    log.start();
    root.addAppender(log);
    ours.setLevel(Level.TRACE);
    try (RunningVault vault = RunningVault.start(Map.of())) {
      files = vault.dataDirectory();
      // Some file systems store whole seconds only.
      start = FileTime.from(Instant.now().minusSeconds(2));
      new Walk(vault).run();
    } finally {
      ours.setLevel(null);
      root.detachAppender(log);
    }
  }

  private Stream<PlantedSecrets> all() {
    return Stream.of(
            Stream.of(data, configuration, authorization, query, input),
            keys.stream(),
            proxyKeys.stream())
        .flatMap(each -> each);
  }

  @Test
  void noResponseLeaksSecrets() {
    assertThat(responses).hasSizeGreaterThan(60);
    for (Response response : responses) {
      all().forEach(secret -> assertAbsent(secret, response));
    }
    for (Response response : proxyAnswers) {
      Stream.concat(Stream.of(data, authorization, query, input), keys.stream())
          .forEach(secret -> assertAbsent(secret, response));
    }
  }

  private static void assertAbsent(PlantedSecrets secret, Response response) {
    assertThat(secret.in(response.bytes())).as("%s in %s", secret, response).isEmpty();
    assertThat(secret.in(response.headers().map().toString()))
        .as("%s in the headers of %s", secret, response)
        .isEmpty();
  }

  @Test
  void noSecretIsLogged() {
    for (ILoggingEvent event : List.copyOf(log.list)) {
      String text = event.getLoggerName() + " " + event.getFormattedMessage();
      if (event.getThrowableProxy() != null) {
        text += "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
      }
      for (PlantedSecrets secret : all().toList()) {
        assertThat(secret.in(text)).as("%s in the log: %s", secret, text).isEmpty();
      }
    }
  }

  @Test
  void noSecretIsOnDisk() throws IOException {
    int found = 0;
    for (Path file : written()) {
      byte[] bytes = withoutRunsOfZeros(Files.readAllBytes(file));
      found += new PlantedSecrets("a control", PUBLIC).in(bytes).isPresent() ? 1 : 0;
      for (PlantedSecrets secret : all().toList()) {
        assertThat(secret.in(bytes)).as("%s in %s", secret, file).isEmpty();
      }
    }
    assertThat(found)
        .as("files with the public value: table and write-ahead log")
        .isGreaterThanOrEqualTo(2);
  }

  /** Returns the files that were modified since the secrets were planted. */
  private List<Path> written() throws IOException {
    List<Path> written = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(files)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        if (Files.getLastModifiedTime(file).compareTo(start) >= 0) {
          written.add(file);
        }
      }
    }
    return written;
  }

  /** Shortens tables and write-ahead logs, which are mostly zeros; no secret contains one. */
  private static byte[] withoutRunsOfZeros(byte[] bytes) {
    byte[] shorter = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != 0 || (i > 0 && bytes[i - 1] != 0)) {
        shorter[length] = bytes[i];
        length++;
      }
    }
    return Arrays.copyOf(shorter, length);
  }

  /** Sends the requests and adds each response that must not contain secrets to a list above. */
  private final class Walk {

    private final RunningVault vault;
    private final TenantFixture tenant;
    private final Client management;
    private final Client blind;
    private final Client owner;

    Walk(RunningVault vault) {
      this.vault = vault;
      this.tenant = vault.newTenant();
      this.management = tenant.management();
      this.blind =
          tenant.application(
              "private",
              "token:create",
              "token:read",
              "token:update",
              "token:search",
              "token:delete",
              "token:use");
      this.owner = tenant.owner();
      for (Client client : List.of(management, blind, owner)) {
        keys.add(new PlantedSecrets("API key", client.key()));
      }
    }

    void run() {
      String token = tokens();
      applications();
      String proxyKey = proxies();
      invocations(token, proxyKey);
      echoes(token, proxyKey);
      failures(token);
      badKeys();
      logs();
    }

    private Response see(Response response) {
      responses.add(response);
      return response;
    }

    private void see(Call call, int status) {
      see(call.send()).expect(status);
    }

    private void refused(Client client, String method, String path, Object json) {
      Response response = see(client.call(method, path).json(json).send());
      assertThat(response.status()).as("%s", response).isBetween(400, 499);
    }

    private void refused(Client client, String path) {
      Response response = see(client.get(path));
      assertThat(response.status()).as("%s", response).isBetween(400, 499);
    }

    private String encoded(PlantedSecrets secret) {
      return URLEncoder.encode(secret.value(), StandardCharsets.UTF_8);
    }

    /**
     * Returns a token with the public value twice, since a page of the log may split one of them.
     */
    private JsonNode tokenOf(String id) {
      Map<String, String> metadata = Map.of("k", PUBLIC, "l", PUBLIC);
      return Json.object("id", id, "type", "token", "data", data.value(), "metadata", metadata);
    }

    private String tokens() {
      String id = "token-" + UUID.randomUUID();
      see(blind.post("/tokens", tokenOf(id)).expect(201));
      see(
          blind
              .post("/tokens", Json.object("type", "token", "data", List.of(1, data.value())))
              .expect(201));
      see(blind.get("/tokens/" + id).expect(200));
      see(blind.get("/tokens?size=100").expect(200));
      see(blind.get("/tokens?metadata.k=" + PUBLIC).expect(200));
      see(blind.post("/tokens", tokenOf(id)).expect(409));
      see(management.post("/tokens", tokenOf("other")).expect(403));
      see(management.get("/tokens/" + id).expect(403));
      assertThat(data.in(owner.get("/tokens/" + id).expect(200).bytes())).isPresent();
      assertThat(data.in(owner.get("/tokens").expect(200).bytes())).isPresent();
      refusedTokens();
      contents(id);
      String gone = blind.token(data.value());
      see(blind.delete("/tokens/" + gone).expect(204));
      see(blind.get("/tokens/" + gone).expect(404));
      return id;
    }

    /** Sends secrets in expressions, queries and templates. */
    private void contents(String id) {
      String path = "/tokens/" + id;
      JsonNode expressions =
          Json.object("mask", "{{ data | reveal_last: 1 }}", "fingerprint_expression", "{{ data }}")
              .set("search_indexes", Json.of(List.of("{{ data }}")));
      see(blind.patch(path, Json.object("data", data.value())).expect(200));
      see(blind.patch(path, expressions).expect(403));
      see(blind.post("/tokenize", Json.of(List.of(data.value()))).expect(200));
      see(blind.post("/detokenize", Json.of("a {{" + id + "}}")).expect(200));
      see(blind.post("/tokens/search", query("data", data)).expect(200));
      see(blind.post("/tokens/search", query("data", input)).expect(200));
      for (String failing :
          List.of(
              "{{ data | to_number }}",
              "{{ data.member }}",
              "{{ data | append: " + input.value() + " }}")) {
        for (String field : List.of("mask", "fingerprint_expression", "id")) {
          JsonNode wrong = Json.object("type", "token", "data", data.value(), field, failing);
          refused(blind, "POST", "/tokens", wrong);
          refused(blind, "POST", "/tokenize", Json.of(List.of(wrong)));
        }
        refused(blind, "PATCH", path, Json.object("data", input.value(), "mask", failing));
        see(blind.post("/detokenize", Json.of(failing.replace("data", id))));
      }
      refused(blind, "PATCH", path, Json.object("data", data.value(), "containers", input.value()));
      refused(blind, "POST", "/tokens/search", query("created_at", input));
      refused(blind, "POST", "/tokens/search", query(input.value(), input));
      refused(blind, "POST", "/detokenize", Json.of("{{" + input.value() + "}}"));
    }

    private JsonNode query(String field, PlantedSecrets value) {
      String quoted = Json.of(value.value()).toString();
      return Json.object("query", field + ":" + quoted);
    }

    private void refusedTokens() {
      String text = input.value();
      refused(blind, "POST", "/tokens", Json.object("type", text, "data", text));
      refused(blind, "POST", "/tokens", Json.object("type", "token", "dta", text));
      for (String field : List.of("id", "containers", "metadata", "expires_at")) {
        JsonNode wrong =
            Json.object("type", "token", "data", data.value(), field, List.of(text, text));
        refused(blind, "POST", "/tokens", wrong);
        refused(blind, "POST", "/tokens", Json.object("type", "token", "data", 1, field, text));
      }
      String quoted = Json.of(text).toString();
      for (String malformed :
          List.of(
              "{\"type\":\"token\",\"data\":" + quoted,
              "{\"type\":\"token\",\"data\":" + quoted + "} " + quoted,
              "{\"type\":\"token\",\"data\":" + quoted + ",\"data\":" + quoted + "}",
              "{\"type\":\"token\",\"data\":" + quoted + ",}",
              "[" + quoted + "]",
              quoted,
              "{\"type\":\"token\",\"data\":" + quoted.replace("pl", "\\ud800") + "}",
              quoted.substring(1))) {
        refused(blind, "POST", "/tokens", malformed);
      }
      see(blind.call("POST", "/tokens").body("text/plain", text), 415);
      see(blind.call("PUT", "/tokens").json(quoted), 405);
      String big = Json.of(text.repeat(60_000)).toString();
      refused(blind, "POST", "/tokens", "{\"type\":\"token\",\"data\":" + big + "}");
      refused(blind, "POST", "/tokens", Json.of(text.repeat(300_000)));
    }

    private void applications() {
      String text = input.value();
      refused(management, "POST", "/applications", Json.object("name", text.repeat(10)));
      JsonNode rules = Json.of(List.of(Map.of("container", text)));
      for (JsonNode wrong :
          List.of(
              Json.object("name", 7, "type", text, "rules", rules),
              Json.object("name", "n", "type", "expiring", "expires_at", text, "rules", text))) {
        refused(management, "POST", "/applications", wrong);
      }
      Client app = tenant.application("private", "token:create");
      keys.add(new PlantedSecrets("API key", app.key()));
      see(management.get("/applications/" + app.id()).expect(200));
      see(management.get("/applications?size=100").expect(200));
      see(management.get("/applications/key").expect(200));
      JsonNode update = Json.object("name", "n", "permissions", List.of("token:create"));
      see(management.put("/applications/" + app.id(), update).expect(200));
      see(blind.post("/applications", Json.object("name", text, "type", "private")).expect(403));
      String replaced =
          management.post("/applications/" + app.id() + "/regenerate").expect(200).text("key");
      keys.add(new PlantedSecrets("replaced API key", replaced));
      see(app.get("/permissions").expect(401));
      see(app.withKey(replaced).get("/permissions").expect(200));
      see(management.delete("/applications/" + app.id()).expect(204));
      refused(management, "/permissions?application_type=" + encoded(input));
      refused(management, "/applications?id=" + encoded(input));
      refused(management, "/applications?page=" + encoded(input));
    }

    private String proxies() {
      JsonNode wanted =
          proxyDraft(destination.url())
              .set("configuration", Json.object("api_secret", configuration.value()));
      Response created = management.post("/proxies", wanted).expect(201);
      String path = "/proxies/" + created.text("id");
      proxyAnswers.add(created);
      proxyAnswers.add(management.get(path).expect(200));
      proxyAnswers.add(management.get("/proxies").expect(200));
      proxyAnswers.add(management.put(path, wanted).expect(200));
      assertThat(configuration.in(created.bytes())).isPresent();
      proxyKeys.add(new PlantedSecrets("proxy key", created.text("key")));
      see(blind.get(path).expect(403));
      see(blind.post("/proxies", wanted).expect(403));
      String text = input.value();
      for (Object url : List.of("https://u:" + text + "@a.test", "http://" + text, text, 7)) {
        refused(management, "POST", "/proxies", Json.object("name", "p", "destination_url", url));
      }
      ObjectNode wrong = proxyDraft(destination.url());
      wrong.set("configuration", Json.of(List.of(text)));
      refused(management, "POST", "/proxies", wrong);
      wrong.set("configuration", Json.object("k", List.of(text)));
      refused(management, "POST", "/proxies", wrong.set("application", Json.object("id", text)));
      see(management.get("/proxies?name=" + encoded(input)).expect(200));
      refused(management, "/proxies?id=" + encoded(input));
      return created.text("key");
    }

    private Call invoke(String proxyKey, String method, String pathAndQuery) {
      return blind
          .call(method, "/proxy" + pathAndQuery)
          .through(proxyKey)
          .header("Authorization", "Bearer " + authorization.value());
    }

    private void invocations(String token, String proxyKey) {
      String body = "{\"a\":\"{{" + token + "}}\"}";
      String path = "/x?q=" + encoded(query) + "&t=%7B%7B" + token + "%7D%7D";
      see(invoke(proxyKey, "POST", path).header("X-Data", "{{" + token + "}}").json(body), 200);
      var received = destination.received();
      assertThat(data.in(ProxyFixture.receivedBody(received))).isPresent();
      assertThat(authorization.in(received.getHeaders().get("Authorization"))).isPresent();
      assertThat(query.in(received.getTarget())).isPresent();
      see(invoke(proxyKey, "POST", "/x").json(body + input.value()), 400);
      see(invoke(proxyKey, "POST", "/{{no".replace("{", "%7B")).json(body), 200);
      see(invoke(proxyKey, "POST", "/x").json("[\"{{no-such-token}}\"," + body + "]"), 400);
      see(invoke(proxyKey, "POST", "/%7B%7B" + slashed() + "%7D%7D").json(body), 400);
      see(invoke(proxyKey, "POST", "/").header("X-Data", "{{" + lines() + "}}"), 400);
      see(
          invoke(proxyKey, "POST", "/")
              .body("text/plain;charset=us-ascii", "{{" + token + "}}{{" + accented() + "}}"),
          400);
      see(
          invoke(proxyKey, "POST", "/")
              .body("text/plain", input.value().repeat(250_000) + "{{" + token + "}}"),
          413);
      see(invoke(proxyKey, "POST", "/x?svc-proxy-key=" + "0".repeat(32)), 400);
      destination.answer(new MockResponse.Builder().code(500).body("theirs").build());
      see(invoke(proxyKey, "POST", path).json(body), 500);
      for (String url :
          List.of(
              "https://u:" + input.value() + "@payments.test",
              destination.url(HttpsDestination.UNNAMED_HOST),
              destination.url(HttpsDestination.REBOUND_HOST))) {
        Call call = blind.call("POST", "/proxy" + path).to(url).json(body);
        Response response = see(call.header("Authorization", authorization.value()).send());
        assertThat(response.status()).isIn(400, 502);
      }
    }

    /** Calls a destination that echoes requests: its responses reveal data, but no keys. */
    private void echoes(String token, String proxyKey) {
      destination.answer(
          request -> {
            String body = ProxyFixture.receivedBody(request);
            return new MockResponse.Builder()
                .code(body.contains("teapot") ? 418 : 200)
                .addHeader("X-Echo", request.getHeaders().get("X-Data"))
                .addHeader("Set-Cookie", "c=" + encoded(data))
                .addHeader("Location", "https://a.test/?q=" + encoded(data))
                .body(request.getTarget() + "\n" + headers(request) + "\n" + body)
                .build();
          });
      String path = "/%7B%7B" + token + "%7D%7D?q=%7B%7B" + token + "%7D%7D";
      for (String kind : List.of("plain", "teapot")) {
        Response echo =
            invoke(proxyKey, "POST", path)
                .header("X-Data", "{{" + token + "}}")
                .header("Cookie", "session=1")
                .json("[\"" + kind + "\",\"{{" + token + "}}\"]")
                .send();
        assertThat(echo.status()).as("%s", echo).isEqualTo(kind.equals("plain") ? 200 : 418);
        assertThat(echo.header("X-Echo")).contains(data.value());
        assertThat(echo.text()).contains(Json.of(data.value()).toString()).contains("session=1");
        Stream.concat(keys.stream(), proxyKeys.stream()).forEach(key -> assertAbsent(key, echo));
        assertThat(echo.text()).doesNotContainIgnoringCase("svc-");
      }
    }

    /** Returns the headers as a string; their own string form would redact cookies. */
    private String headers(RecordedRequest request) {
      return StreamSupport.stream(request.getHeaders().spliterator(), false)
          .map(pair -> pair.getFirst() + ": " + pair.getSecond())
          .collect(Collectors.joining("\n"));
    }

    /** Calls destinations that close the connection early or are not trusted. */
    private void failures(String token) {
      try (HttpsDestination failing = HttpsDestination.start();
          HttpsDestination untrusted = HttpsDestination.startUntrusted()) {
        failing.answer(echo().onResponseStart(new SocketEffect.CloseSocket()).build());
        see(toUrl(failing.url(), token), 502);
        failing.answer(
            echo()
                .body(data.value().repeat(10_000))
                .onResponseBody(new SocketEffect.CloseSocket())
                .build());
        Call broken = toUrl(failing.url(), token);
        assertThatThrownBy(broken::send).isInstanceOf(UncheckedIOException.class);
        failing.answer(echo().status("HTTP/9 " + data.value()).build());
        see(toUrl(failing.url(), token), 502);
        see(toUrl(untrusted.url(), token), 502);
        see(toUrl(failing.url(HttpsDestination.UNNAMED_HOST), token), 502);
      }
    }

    private MockResponse.Builder echo() {
      return new MockResponse.Builder().addHeader("X-Echo", data.value());
    }

    private Call toUrl(String url, String token) {
      return blind
          .call("POST", "/proxy/%7B%7B" + token + "%7D%7D")
          .to(url + "/?q=" + encoded(query))
          .header("X-Data", "{{" + token + "}}")
          .json("[\"{{" + token + "}}\"]");
    }

    private String slashed() {
      return blind.token("../" + data.value());
    }

    private String lines() {
      return blind.token(data.value() + "\r\n");
    }

    private String accented() {
      return blind.token(data.value() + "é");
    }

    private void badKeys() {
      for (String path :
          List.of("/permissions", "/applications", "/tokens", "/proxies", "/logs", "/proxy")) {
        see(vault.call("GET", path).key(input.value()), 401);
        see(vault.call("GET", path + "?svc-api-key=" + blind.key()), 401);
      }
      see(vault.call("GET", "/proxy").through(input.value()), 404);
      see(vault.call("GET", "/proxy?svc-proxy-key=" + encoded(input)), 404);
      refused(blind, "/nothing/" + encoded(input));
      refused(blind, "/tokens/" + encoded(input));
    }

    private void logs() {
      see(management.get("/logs?size=10000").expect(200));
      see(management.get("/logs?start=&size=10000").expect(200));
      refused(management, "/logs?start_date=" + encoded(input));
      refused(management, "/logs?start=" + encoded(input));
      see(management.get("/logs?entity_id=" + encoded(input)).expect(200));
      see(management.get("/logs/entity-types").expect(200));
      see(vault.get("/healthz").expect(200));
      see(vault.get("/readyz").expect(200));
    }
  }
}
