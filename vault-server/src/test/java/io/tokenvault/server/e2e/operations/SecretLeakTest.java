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
import io.tokenvault.server.e2e.fixture.PlantedSecret;
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

  private final PlantedSecret data = planted("token data");
  private final PlantedSecret configuration = planted("proxy configuration");
  private final PlantedSecret authorization = planted("Authorization header");
  private final PlantedSecret query = planted("query value");
  private final PlantedSecret input = planted("refused input");
  private final List<PlantedSecret> keys = new ArrayList<>();
  private final List<PlantedSecret> proxyKeys = new ArrayList<>();
  private final List<Response> responses = new ArrayList<>();
  private final List<Response> proxyResponses = new ArrayList<>();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();
  private Path dataDirectory;
  private FileTime start;

  /** Returns a secret with characters that are encoded differently in JSON, URLs and headers. */
  private static PlantedSecret planted(String name) {
    return new PlantedSecret(name, "pl\"anted-" + UUID.randomUUID());
  }

  @BeforeAll
  void sendSecretsToAllEndpoints() {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Logger ours =
        (Logger) LoggerFactory.getLogger(VaultNode.class.getPackageName().split("\\.")[0]);
    log.start();
    root.addAppender(log);
    ours.setLevel(Level.TRACE);
    try (RunningVault vault = RunningVault.start(Map.of())) {
      dataDirectory = vault.dataDirectory();
      // Some file systems store whole seconds only.
      start = FileTime.from(Instant.now().minusSeconds(2));
      new SecretSender(vault).run();
    } finally {
      ours.setLevel(null);
      root.detachAppender(log);
    }
  }

  private Stream<PlantedSecret> allSecrets() {
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
      allSecrets().forEach(secret -> assertAbsent(secret, response));
    }
    for (Response response : proxyResponses) {
      Stream.concat(Stream.of(data, authorization, query, input), keys.stream())
          .forEach(secret -> assertAbsent(secret, response));
    }
  }

  private static void assertAbsent(PlantedSecret secret, Response response) {
    assertThat(secret.findIn(response.bytes())).as("%s in %s", secret, response).isEmpty();
    assertThat(secret.findIn(response.headers().map().toString()))
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
      for (PlantedSecret secret : allSecrets().toList()) {
        assertThat(secret.findIn(text)).as("%s in the log: %s", secret, text).isEmpty();
      }
    }
  }

  @Test
  void noSecretIsOnDisk() throws IOException {
    int found = 0;
    for (Path file : modifiedFiles()) {
      byte[] bytes = withoutZeros(Files.readAllBytes(file));
      found += new PlantedSecret("a control", PUBLIC).findIn(bytes).isPresent() ? 1 : 0;
      for (PlantedSecret secret : allSecrets().toList()) {
        assertThat(secret.findIn(bytes)).as("%s in %s", secret, file).isEmpty();
      }
    }
    assertThat(found)
        .as("files with the public value: table and write-ahead log")
        .isGreaterThanOrEqualTo(2);
  }

  /** Returns the files that were modified since the secrets were planted. */
  private List<Path> modifiedFiles() throws IOException {
    List<Path> written = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(dataDirectory)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        if (Files.getLastModifiedTime(file).compareTo(start) >= 0) {
          written.add(file);
        }
      }
    }
    return written;
  }

  /** Shortens tables and write-ahead logs, which are mostly zeros; no secret contains one. */
  private static byte[] withoutZeros(byte[] bytes) {
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
  private final class SecretSender {

    private final RunningVault vault;
    private final TenantFixture tenant;
    private final Client management;
    private final Client masked;
    private final Client owner;

    SecretSender(RunningVault vault) {
      this.vault = vault;
      this.tenant = vault.newTenant();
      this.management = tenant.management();
      this.masked =
          tenant.application(
              "private",
              "token:create",
              "token:read",
              "token:update",
              "token:search",
              "token:delete",
              "token:use");
      this.owner = tenant.owner();
      for (Client client : List.of(management, masked, owner)) {
        keys.add(new PlantedSecret("API key", client.key()));
      }
    }

    void run() {
      String token = sendTokens();
      sendApplications();
      String proxyKey = sendProxies();
      sendInvocations(token, proxyKey);
      sendToEchoingDestination(token, proxyKey);
      sendToFailingDestinations(token);
      sendBadKeys();
      sendLogRequests();
    }

    private Response add(Response response) {
      responses.add(response);
      return response;
    }

    private void add(Call call, int status) {
      add(call.send()).expect(status);
    }

    private void sendBad(Client client, String method, String path, Object json) {
      Response response = add(client.call(method, path).json(json).send());
      assertThat(response.status()).as("%s", response).isBetween(400, 499);
    }

    private void sendBad(Client client, String path) {
      Response response = add(client.get(path));
      assertThat(response.status()).as("%s", response).isBetween(400, 499);
    }

    private String encoded(PlantedSecret secret) {
      return URLEncoder.encode(secret.value(), StandardCharsets.UTF_8);
    }

    /** Returns a token with two public values; the write-ahead log may split one across pages. */
    private JsonNode tokenOf(String id) {
      Map<String, String> metadata = Map.of("k", PUBLIC, "l", PUBLIC);
      return Json.object("id", id, "type", "token", "data", data.value(), "metadata", metadata);
    }

    private String sendTokens() {
      String id = "token-" + UUID.randomUUID();
      add(masked.post("/tokens", tokenOf(id)).expect(201));
      add(
          masked
              .post("/tokens", Json.object("type", "token", "data", List.of(1, data.value())))
              .expect(201));
      add(masked.get("/tokens/" + id).expect(200));
      add(masked.get("/tokens?size=100").expect(200));
      add(masked.get("/tokens?metadata.k=" + PUBLIC).expect(200));
      add(masked.post("/tokens", tokenOf(id)).expect(409));
      add(management.post("/tokens", tokenOf("other")).expect(403));
      add(management.get("/tokens/" + id).expect(403));
      assertThat(data.findIn(owner.get("/tokens/" + id).expect(200).bytes())).isPresent();
      assertThat(data.findIn(owner.get("/tokens").expect(200).bytes())).isPresent();
      sendBadTokens();
      sendExpressionsAndQueries(id);
      String deleted = masked.token(data.value());
      add(masked.delete("/tokens/" + deleted).expect(204));
      add(masked.get("/tokens/" + deleted).expect(404));
      return id;
    }

    /** Sends secrets in expressions, queries and templates. */
    private void sendExpressionsAndQueries(String id) {
      String path = "/tokens/" + id;
      JsonNode expressions =
          Json.object("mask", "{{ data | reveal_last: 1 }}", "fingerprint_expression", "{{ data }}")
              .set("search_indexes", Json.of(List.of("{{ data }}")));
      add(masked.patch(path, Json.object("data", data.value())).expect(200));
      add(masked.patch(path, expressions).expect(403));
      add(masked.post("/tokenize", Json.of(List.of(data.value()))).expect(200));
      add(masked.post("/detokenize", Json.of("a {{" + id + "}}")).expect(200));
      add(masked.post("/tokens/search", query("data", data)).expect(200));
      add(masked.post("/tokens/search", query("data", input)).expect(200));
      for (String failing :
          List.of(
              "{{ data | to_number }}",
              "{{ data.member }}",
              "{{ data | append: " + input.value() + " }}")) {
        for (String field : List.of("mask", "fingerprint_expression", "id")) {
          JsonNode wrong = Json.object("type", "token", "data", data.value(), field, failing);
          sendBad(masked, "POST", "/tokens", wrong);
          sendBad(masked, "POST", "/tokenize", Json.of(List.of(wrong)));
        }
        sendBad(masked, "PATCH", path, Json.object("data", input.value(), "mask", failing));
        add(masked.post("/detokenize", Json.of(failing.replace("data", id))));
      }
      sendBad(
          masked, "PATCH", path, Json.object("data", data.value(), "containers", input.value()));
      sendBad(masked, "POST", "/tokens/search", query("created_at", input));
      sendBad(masked, "POST", "/tokens/search", query(input.value(), input));
      sendBad(masked, "POST", "/detokenize", Json.of("{{" + input.value() + "}}"));
    }

    private JsonNode query(String field, PlantedSecret value) {
      String quoted = Json.of(value.value()).toString();
      return Json.object("query", field + ":" + quoted);
    }

    private void sendBadTokens() {
      String text = input.value();
      sendBad(masked, "POST", "/tokens", Json.object("type", text, "data", text));
      sendBad(masked, "POST", "/tokens", Json.object("type", "token", "dta", text));
      for (String field : List.of("id", "containers", "metadata", "expires_at")) {
        JsonNode wrong =
            Json.object("type", "token", "data", data.value(), field, List.of(text, text));
        sendBad(masked, "POST", "/tokens", wrong);
        sendBad(masked, "POST", "/tokens", Json.object("type", "token", "data", 1, field, text));
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
        sendBad(masked, "POST", "/tokens", malformed);
      }
      add(masked.call("POST", "/tokens").body("text/plain", text), 415);
      add(masked.call("PUT", "/tokens").json(quoted), 405);
      String big = Json.of(text.repeat(60_000)).toString();
      sendBad(masked, "POST", "/tokens", "{\"type\":\"token\",\"data\":" + big + "}");
      sendBad(masked, "POST", "/tokens", Json.of(text.repeat(300_000)));
    }

    private void sendApplications() {
      String text = input.value();
      sendBad(management, "POST", "/applications", Json.object("name", text.repeat(10)));
      JsonNode rules = Json.of(List.of(Map.of("container", text)));
      for (JsonNode wrong :
          List.of(
              Json.object("name", 7, "type", text, "rules", rules),
              Json.object("name", "n", "type", "expiring", "expires_at", text, "rules", text))) {
        sendBad(management, "POST", "/applications", wrong);
      }
      Client app = tenant.application("private", "token:create");
      keys.add(new PlantedSecret("API key", app.key()));
      add(management.get("/applications/" + app.id()).expect(200));
      add(management.get("/applications?size=100").expect(200));
      add(management.get("/applications/key").expect(200));
      JsonNode update = Json.object("name", "n", "permissions", List.of("token:create"));
      add(management.put("/applications/" + app.id(), update).expect(200));
      add(masked.post("/applications", Json.object("name", text, "type", "private")).expect(403));
      String replaced =
          management.post("/applications/" + app.id() + "/regenerate").expect(200).text("key");
      keys.add(new PlantedSecret("replaced API key", replaced));
      add(app.get("/permissions").expect(401));
      add(app.withKey(replaced).get("/permissions").expect(200));
      add(management.delete("/applications/" + app.id()).expect(204));
      sendBad(management, "/permissions?application_type=" + encoded(input));
      sendBad(management, "/applications?id=" + encoded(input));
      sendBad(management, "/applications?page=" + encoded(input));
    }

    private String sendProxies() {
      JsonNode draft =
          proxyDraft(destination.url())
              .set("configuration", Json.object("api_secret", configuration.value()));
      Response created = management.post("/proxies", draft).expect(201);
      String path = "/proxies/" + created.text("id");
      proxyResponses.add(created);
      proxyResponses.add(management.get(path).expect(200));
      proxyResponses.add(management.get("/proxies").expect(200));
      proxyResponses.add(management.put(path, draft).expect(200));
      assertThat(configuration.findIn(created.bytes())).isPresent();
      proxyKeys.add(new PlantedSecret("proxy key", created.text("key")));
      add(masked.get(path).expect(403));
      add(masked.post("/proxies", draft).expect(403));
      String text = input.value();
      for (Object url : List.of("https://u:" + text + "@a.test", "http://" + text, text, 7)) {
        sendBad(management, "POST", "/proxies", Json.object("name", "p", "destination_url", url));
      }
      ObjectNode wrong = proxyDraft(destination.url());
      wrong.set("configuration", Json.of(List.of(text)));
      sendBad(management, "POST", "/proxies", wrong);
      wrong.set("configuration", Json.object("k", List.of(text)));
      sendBad(management, "POST", "/proxies", wrong.set("application", Json.object("id", text)));
      add(management.get("/proxies?name=" + encoded(input)).expect(200));
      sendBad(management, "/proxies?id=" + encoded(input));
      return created.text("key");
    }

    private Call invoke(String proxyKey, String method, String pathAndQuery) {
      return masked
          .call(method, "/proxy" + pathAndQuery)
          .through(proxyKey)
          .header("Authorization", "Bearer " + authorization.value());
    }

    private void sendInvocations(String token, String proxyKey) {
      String body = "{\"a\":\"{{" + token + "}}\"}";
      String path = "/x?q=" + encoded(query) + "&t=%7B%7B" + token + "%7D%7D";
      add(invoke(proxyKey, "POST", path).header("X-Data", "{{" + token + "}}").json(body), 200);
      var received = destination.received();
      assertThat(data.findIn(ProxyFixture.receivedBody(received))).isPresent();
      assertThat(authorization.findIn(received.getHeaders().get("Authorization"))).isPresent();
      assertThat(query.findIn(received.getTarget())).isPresent();
      add(invoke(proxyKey, "POST", "/x").json(body + input.value()), 400);
      add(invoke(proxyKey, "POST", "/{{no".replace("{", "%7B")).json(body), 200);
      add(invoke(proxyKey, "POST", "/x").json("[\"{{no-such-token}}\"," + body + "]"), 400);
      add(invoke(proxyKey, "POST", "/%7B%7B" + withSlashes() + "%7D%7D").json(body), 400);
      add(invoke(proxyKey, "POST", "/").header("X-Data", "{{" + withLineBreak() + "}}"), 400);
      add(
          invoke(proxyKey, "POST", "/")
              .body("text/plain;charset=us-ascii", "{{" + token + "}}{{" + withAccent() + "}}"),
          400);
      add(
          invoke(proxyKey, "POST", "/")
              .body("text/plain", input.value().repeat(250_000) + "{{" + token + "}}"),
          413);
      add(invoke(proxyKey, "POST", "/x?svc-proxy-key=" + "0".repeat(32)), 400);
      destination.respond(new MockResponse.Builder().code(500).body("theirs").build());
      add(invoke(proxyKey, "POST", path).json(body), 500);
      for (String url :
          List.of(
              "https://u:" + input.value() + "@payments.test",
              destination.url(HttpsDestination.MISMATCHED_HOST),
              destination.url(HttpsDestination.REBOUND_HOST))) {
        Call call = masked.call("POST", "/proxy" + path).to(url).json(body);
        Response response = add(call.header("Authorization", authorization.value()).send());
        assertThat(response.status()).isIn(400, 502);
      }
    }

    /** Calls a destination that echoes requests: its responses reveal data, but no keys. */
    private void sendToEchoingDestination(String token, String proxyKey) {
      destination.respond(
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
    private void sendToFailingDestinations(String token) {
      try (HttpsDestination failing = HttpsDestination.start();
          HttpsDestination untrusted = HttpsDestination.startUntrusted()) {
        failing.respond(echo().onResponseStart(new SocketEffect.CloseSocket()).build());
        add(toUrl(failing.url(), token), 502);
        failing.respond(
            echo()
                .body(data.value().repeat(10_000))
                .onResponseBody(new SocketEffect.CloseSocket())
                .build());
        Call broken = toUrl(failing.url(), token);
        assertThatThrownBy(broken::send).isInstanceOf(UncheckedIOException.class);
        failing.respond(echo().status("HTTP/9 " + data.value()).build());
        add(toUrl(failing.url(), token), 502);
        add(toUrl(untrusted.url(), token), 502);
        add(toUrl(failing.url(HttpsDestination.MISMATCHED_HOST), token), 502);
      }
    }

    private MockResponse.Builder echo() {
      return new MockResponse.Builder().addHeader("X-Echo", data.value());
    }

    private Call toUrl(String url, String token) {
      return masked
          .call("POST", "/proxy/%7B%7B" + token + "%7D%7D")
          .to(url + "/?q=" + encoded(query))
          .header("X-Data", "{{" + token + "}}")
          .json("[\"{{" + token + "}}\"]");
    }

    private String withSlashes() {
      return masked.token("../" + data.value());
    }

    private String withLineBreak() {
      return masked.token(data.value() + "\r\n");
    }

    private String withAccent() {
      return masked.token(data.value() + "é");
    }

    private void sendBadKeys() {
      for (String path :
          List.of("/permissions", "/applications", "/tokens", "/proxies", "/logs", "/proxy")) {
        add(vault.call("GET", path).key(input.value()), 401);
        add(vault.call("GET", path + "?svc-api-key=" + masked.key()), 401);
      }
      add(vault.call("GET", "/proxy").through(input.value()), 404);
      add(vault.call("GET", "/proxy?svc-proxy-key=" + encoded(input)), 404);
      sendBad(masked, "/nothing/" + encoded(input));
      sendBad(masked, "/tokens/" + encoded(input));
    }

    private void sendLogRequests() {
      add(management.get("/logs?size=10000").expect(200));
      add(management.get("/logs?start=&size=10000").expect(200));
      sendBad(management, "/logs?start_date=" + encoded(input));
      sendBad(management, "/logs?start=" + encoded(input));
      add(management.get("/logs?entity_id=" + encoded(input)).expect(200));
      add(management.get("/logs/entity-types").expect(200));
      add(vault.get("/healthz").expect(200));
      add(vault.get("/readyz").expect(200));
    }
  }
}
