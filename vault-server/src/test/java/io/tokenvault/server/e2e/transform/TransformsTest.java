package io.tokenvault.server.e2e.transform;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transforms of proxies over HTTP, in worker processes. */
@TestInstance(Lifecycle.PER_CLASS)
final class TransformsTest {

  /** Executes the {@code mode} in the body; shared by all tests, since compiling takes long. */
  private static final String REQUEST =
      """
      class OutOfStock extends Error {
        constructor(message) {
          super(message);
          this.status = 409;
        }
      }

      const modes = {
        reshape: async ({ args, configuration }) => ({
          body: { shop: configuration.SHOP, pan: args.body.card.number, ...args.body.extra },
          headers: { ...args.headers, 'x-added': 'yes', 'x-several': ['1', '2'], 'svc-api-key': 'x' },
        }),
        own: async () => {
          throw new OutOfStock('There is none left');
        },
        create: async ({ bt, args }) => {
          const token = await bt.tokens.create({ type: 'token', data: args.body.data });
          const { value } = await bt.detokenize({ value: `{{${token.id}}}` });
          return { body: { id: token.id, value } };
        },
        fetch: async ({ args }) => {
          const response = await fetch(args.body.url, {
            method: 'POST', headers: { 'x-from': 'transform' }, body: 'hello',
          });
          return { body: { status: response.status, text: await response.text() } };
        },
        target: async ({ args }) => ({ body: { path: args.path, query: args.query } }),
        read: async ({ bt, args }) => ({ body: await bt.tokens.retrieve(args.body.id) }),
      };

      module.exports = async (req) => modes[req.args.body.mode](req);
      """;

  private static final String RESPONSE =
      """
      module.exports = async ({ args }) => ({
        body: { wrapped: args.body }, headers: { ...args.headers, 'x-seen': 'yes' },
      });
      """;

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  private final Client acting =
      fixture.tenant.applicationWithRules(
          TenantFixture.rule(1, "/", "reveal", "token:create", "token:read"));
  private String key;
  private String responseKey;

  @BeforeAll
  void saveProxies() {
    key = save(proxy().set("request_transform", Json.object("code", REQUEST)));
    responseKey = save(proxy().set("response_transform", Json.object("code", RESPONSE)));
  }

  @Test
  void codeErrorsAreReportedByPositionWithOtherErrors() {
    Response response =
        fixture
            .tenant
            .management()
            .post(
                "/proxies",
                proxy().put("name", "").set("request_transform", Json.object("code", "ab c")));

    response.expectErrorsAt("name", "request_transform.code");
    assertThat(response.errorsAt("request_transform.code"))
        .singleElement()
        .asString()
        .startsWith("line 1, column 3:");
  }

  private ObjectNode proxy() {
    return TenantFixture.proxyDraft(fixture.destination.url() + "/base")
        .put("application_id", acting.id())
        .set("configuration", Json.object("SHOP", "s-1"));
  }

  private String save(JsonNode proxy) {
    return fixture.tenant.proxy(proxy).path("key").asText();
  }

  private Response invoke(String proxyKey, JsonNode body) {
    return invokeAt("/proxy/sub?q=1", proxyKey, body);
  }

  private Response invokeAt(String target, String proxyKey, JsonNode body) {
    return fixture
        .caller
        .call("POST", target)
        .through(proxyKey)
        .header("X-Mine", "a")
        .json(body)
        .send();
  }

  private Response invoke(String mode, Object... more) {
    ObjectNode body = Json.object(more);
    body.put("mode", mode);
    return invoke(key, body);
  }

  private JsonNode sent() {
    return Json.parse(fixture.receivedBody());
  }

  private List<String> messages() {
    return fixture.tenant.messages();
  }

  @Test
  void transformReadsTokenDataAndItsResultIsSent() {
    String token = fixture.token("4242424242424242");

    invoke("reshape", "card", Json.object("number", "{{" + token + "}}"), "extra", Json.object())
        .expect(200);

    var received = fixture.destination.received();
    assertThat(ProxyFixture.receivedBody(received))
        .isEqualTo("{\"shop\":\"s-1\",\"pan\":\"4242424242424242\"}");
    assertThat(received.getHeaders().get("x-added")).isEqualTo("yes");
    assertThat(received.getHeaders().values("x-several")).containsExactly("1", "2");
    assertThat(received.getHeaders().get("x-mine")).isEqualTo("a");
    assertThat(received.getHeaders().names()).noneMatch(name -> name.startsWith("svc"));
    assertThat(received.getTarget()).isEqualTo("/base/sub?q=1");
  }

  @Test
  void transformSeesPathAndQuery() {
    invoke("target").expect(200);
    assertThat(sent()).hasToString("{\"path\":\"/sub\",\"query\":\"?q=1\"}");
    invokeAt("/proxy?", key, Json.object("mode", "target")).expect(200);
    assertThat(sent()).hasToString("{\"path\":\"\",\"query\":\"\"}");
  }

  @Test
  void retryAfterFailedResponseTransformDoesNotSucceed() {
    String code = "module.exports = () => { throw new Error('x'); };";
    String failing = save(proxy().set("response_transform", Json.object("code", code)));
    Call call = fixture.caller.call("POST", "/proxy").through(failing).idempotent("r-1").json("{}");

    fixture.expectError(call.send(), 500, "transform-failed");
    fixture.expectError(call.send(), 409, "outcome-unknown");
    fixture.destination.respond(
        new MockResponse.Builder()
            .body("{}")
            .onResponseBody(new SocketEffect.CloseSocket())
            .build());
    Call cutOff = fixture.caller.call("POST", "/proxy").through(failing).idempotent("r-2");
    fixture.expectError(cutOff.json("{}").send(), 502, "destination-broke-off");
    fixture.expectError(cutOff.send(), 409, "outcome-unknown");
  }

  @Test
  void logRecordsLineOfFailureAndNeverThrownMessage() {
    invoke("own");

    Eventually.holds(
        "the end is recorded",
        Duration.ofSeconds(30),
        () -> messages().contains("Proxy invocation ended: The transform failed at line 14"));
    assertThat(messages()).noneMatch(message -> message.contains("none left"));
  }

  @Test
  void clientActsAndIsRecordedAsApplicationOfProxy() {
    Response response = invoke("create", "data", "something").expect(200);

    String traceId = response.header("SVC-TRACE-ID").orElseThrow();
    JsonNode body = sent();
    assertThat(body.path("value").asText()).isEqualTo("something");
    String ofToken = "entity_id=" + body.path("id").asText();
    assertThat(fixture.tenant.log(ofToken))
        .extracting(entry -> Json.properties(entry, "actor_id", "trace_id"))
        .containsOnly(List.of(acting.id(), traceId));
    assertThat(fixture.tenant.messages(ofToken))
        .containsExactlyInAnyOrder("Token created", "Token retrieved");
  }

  @Test
  void fetchUsesServerAndIsRecordedFirst() {
    long before = fetches();
    fixture.destination.respond(
        request ->
            new MockResponse.Builder()
                .body(
                    request.getTarget().equals("/other") && fetches() == before + 1
                        ? "recorded"
                        : "{}")
                .build());

    invoke("fetch", "url", fixture.destination.url() + "/other").expect(200);

    var fetched = fixture.destination.received();
    assertThat(fetched.getTarget()).isEqualTo("/other");
    assertThat(fetched.getHeaders().get("x-from")).isEqualTo("transform");
    assertThat(ProxyFixture.receivedBody(fetched)).isEqualTo("hello");
    assertThat(sent()).hasToString("{\"status\":200,\"text\":\"recorded\"}");
  }

  private long fetches() {
    return messages().stream().filter(message -> message.contains("fetches")).count();
  }

  @Test
  void fetchObeysEgressPolicy() {
    for (String url :
        List.of(
            "https://127.0.0.1:" + fixture.destination.port(),
            fixture.destination.url(HttpsDestination.REBOUND_HOST),
            "file:///etc/passwd")) {
      fixture.expectError(invoke("fetch", "url", url), 500, "transform-failed");
    }
    assertThat(fixture.destination.count()).isZero();
  }

  @Test
  void boundTokensReachNoOtherHostByFetchOrClient() {
    fixture.tenant.bindContainer("/bound/", HttpsDestination.HOST);
    fixture.tenant.bindContainer("/elsewhere/", "api.stripe.com");
    Client owner = fixture.tenant.owner();
    String bound = owner.token("bound secret", "/bound/");
    String elsewhere = owner.token("other secret", "/elsewhere/");

    String url = fixture.destination.url(HttpsDestination.OTHER_HOST);
    Response fetch = invoke("fetch", "url", url, "token", "{{" + bound + "}}");
    fixture.expectError(fetch, 500, "transform-failed");
    Response read = invoke("read", "id", elsewhere);
    fixture.expectError(read, 403, "transform-failed");

    assertThat(read.text()).doesNotContain("other secret");
    assertThat(fixture.destination.count()).isZero();
    assertThat(messages())
        .contains("Token read denied")
        .anyMatch(message -> message.startsWith("Transform fetch denied"));
  }

  @Test
  void successfulResponsesAreTransformed() {
    fixture.destination.respond(
        new MockResponse.Builder()
            .addHeader("content-type", "application/json")
            .addHeader("x-kept", "1")
            .body("{\"a\": 1.0}")
            .build());

    Response response = invoke(responseKey, Json.object()).expect(200);

    assertThat(response.text()).isEqualTo("{\"wrapped\":{\"a\":1}}");
    assertThat(response.header("x-seen")).contains("yes");
    assertThat(response.header("x-kept")).contains("1");
    assertThat(response.header(ProxyFixture.DESTINATION_STATUS)).contains("200");
    assertThat(fixture.destination.received().getHeaders().get("accept-encoding"))
        .isEqualTo("identity");
  }
}
