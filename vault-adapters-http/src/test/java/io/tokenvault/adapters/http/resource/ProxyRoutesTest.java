package io.tokenvault.adapters.http.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawReply;
import io.tokenvault.adapters.http.TestServer;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.memory.SmallTransformRuntime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Proxies over HTTP: their transforms, and what stands beside them. */
class ProxyRoutesTest {

  private static final TestServer SERVER = TestServer.shared();
  private static final String BASE = "'name':'n','destination_url':'https://a.example'";
  private static final String VALIDATION = "validation-failed";

  private static RawReply send(String method, String path, String body) {
    return SERVER.sendJson(SERVER.key(), method + " " + path, "application/json", body).isOwn();
  }

  private static RawReply create(String more) {
    return send("POST", "/proxies", "{" + BASE + more + "}");
  }

  private static String path(RawReply created) {
    assertThat(created.status()).as(created.toString()).isEqualTo(201);
    return created.header("Location");
  }

  private static JsonValue code(String source) {
    return new JsonObject(Map.of("code", JsonValue.of(source)));
  }

  private static Map<String, JsonValue> errors(RawReply reply) {
    reply.isProblem(400, VALIDATION);
    return ((JsonObject) reply.json().members().get("errors")).members();
  }

  private static JsonValue messages(String... messages) {
    return new JsonArray(Stream.of(messages).map(JsonValue::of).toList());
  }

  @Test
  void transformsAreReturnedUnchangedWithTheProxy() {
    String request = "module.exports = async r => ({ body: \\u00e4\\n });";
    RawReply created =
        create(",'request_transform':{'code':'" + request + "'},'response_transform':{'code':'2'}");
    String path = path(created);

    JsonObject found = send("GET", path, "").json();
    assertThat(found)
        .isEqualTo(created.json())
        .extracting(JsonObject::members)
        .satisfies(
            members ->
                assertThat(members)
                    .containsEntry(
                        "request_transform",
                        code("module.exports = async r => ({ body: \u00e4\n });"))
                    .containsEntry("response_transform", code("2")));
    assertThat(((JsonArray) send("GET", "/proxies", "").json().members().get("data")).items())
        .contains(found);
  }

  @Test
  void dryRunReceivesBodyAndReturnsItsResult() {
    String path = path(create("")) + "/test";

    RawReply reply = send("POST", path, "{'request':{'body':[1,null,'a']}}");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"request\":{\"body\":[1,null,\"a\"]}}");
    assertThat(send("POST", path, "{").status()).isEqualTo(400);
    assertThat(send("POST", "/proxies/no-uuid/test", "{}").status()).isEqualTo(404);
    assertThat(send("GET", path, "").status()).isEqualTo(405);
  }

  @Test
  void updateReplacesTransforms() {
    String path =
        path(create(",'request_transform':{'code':'1'},'response_transform':{'code':'2'}"));

    RawReply reply = send("PUT", path, "{" + BASE + ",'request_transform':{'code':'3'}}");

    assertThat(reply.json().members())
        .containsEntry("request_transform", code("3"))
        .doesNotContainKey("response_transform");
    assertThat(send("GET", path, "").json()).isEqualTo(reply.json());
  }

  @Test
  void transformErrorsAreReportedByPositionWithAllOthers() {
    String flawed = "ab " + SmallTransformRuntime.FLAW;
    String path = path(create(""));
    String body =
        "{'name':'','destination_url':'https://a.example','x':1,'request_transform':{'code':'"
            + flawed
            + "'},'response_transform':{'code':''}}";

    for (RawReply reply : List.of(send("POST", "/proxies", body), send("PUT", path, body))) {
      assertThat(errors(reply))
          .containsOnlyKeys("name", "x", "request_transform.code", "response_transform.code")
          .containsEntry(
              "request_transform.code", messages("line 1, column 4: must not hold a flaw"))
          .containsEntry(
              "response_transform.code", messages("must be JavaScript of 1 to 50000 characters"));
    }
    assertThat(send("GET", path, "").json().members()).doesNotContainKey("request_transform");
  }
}
