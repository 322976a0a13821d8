package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Proxies that are tried out: nothing leaves, and nobody sees more than masks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DryRunTest {

  private static final String MARKER = "4000056655665556";
  private static final String CODE =
      "module.exports = async ({ args, configuration, bt }) => {\n"
          + "  const { todo, id } = args.body;\n"
          + "  const asked = {\n"
          + "    read: () => bt.tokens.retrieve(id),\n"
          + "    list: () => bt.tokens.list({}),\n"
          + "    detokenize: () => bt.detokenize({ a: `{{${id}}}` }),\n"
          + "    create: () => bt.tokens.create({ type: 'token', data: 'x' }),\n"
          + "    delete: () => bt.tokens.delete(id),\n"
          + "    fetch: async () => (await fetch('https://a.example/x')).json(),\n"
          + "  }[todo];\n"
          + "  const got = asked ? await asked() : null;\n"
          + "  return { body: { ...args.body, k: configuration.K, got } };\n"
          + "};";

  private ProxyFixture fixture;
  private Client owner;
  private String path;
  private String id;

  @BeforeAll
  void start() {
    fixture = new ProxyFixture();
    owner = fixture.tenant.owner();
    id =
        owner
            .post("/tokens", Json.object("type", "card_number", "data", MARKER))
            .expect(201)
            .get("id")
            .asText();
    JsonNode proxy =
        fixture.tenant.proxy(
            Json.object(
                "name", "tried",
                "destination_url", fixture.destination.url() + "/v1?a=b",
                "application", Json.object("id", owner.id()),
                "configuration", Json.object("K", "v"),
                "request_transform", Json.object("code", CODE),
                "response_transform",
                    Json.object(
                        "code",
                        "module.exports = async ({ args }) =>"
                            + " ({ body: { wrapped: args.body } });")));
    path = "/proxies/" + proxy.get("id").asText() + "/test";
  }

  @AfterAll
  void stop() {
    fixture.close();
  }

  private JsonNode tried(Object sample) {
    Response response = fixture.tenant.management().post(path, sample).expect(200);
    assertThat(response.text()).doesNotContain(MARKER);
    assertThat(fixture.destination.count()).as("requests at the destination").isZero();
    return response.json();
  }

  private JsonNode doing(String todo) {
    return tried(Json.object("request", Json.object("body", Json.object("todo", todo, "id", id))));
  }

  private JsonNode got(String todo) {
    return doing(todo).at("/request/body/got");
  }

  @Test
  void masksReplaceDataAndPermissionsAreReported() {
    JsonNode found =
        tried(
            Json.object(
                "request",
                Json.object(
                    "path", "/c/{{" + id + "}}",
                    "headers", Json.object("X-A", "{{" + id + " | last4}}"),
                    "body", Json.object("card", "{{" + id + "}}", "none", "{{no-such-token}}")),
                "application",
                Json.object("id", owner.id()),
                "response",
                Json.object("status", 201, "body", Json.object("ok", true))));

    assertThat(found.get("expressions"))
        .isEqualTo(
            Json.parse(
                "[{\"id\":\""
                    + id
                    + "\",\"exists\":true,\"usable\":true,\"deliverable\":true},"
                    + "{\"id\":\"no-such-token\",\"exists\":false,\"usable\":false,"
                    + "\"deliverable\":false}]"));
    assertThat(found.at("/request/url").asText())
        .isEqualTo(fixture.destination.url() + "/v1/c/XXXXXXXXXXXX5556?a=b");
    assertThat(found.at("/request/headers/X-A").asText()).isEqualTo("5556");
    assertThat(found.at("/request/body/card").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(found.at("/request/body/none").asText()).isEqualTo("[redacted]");
    assertThat(found.at("/request/body/k").asText()).isEqualTo("v");
    assertThat(found.at("/response/status").asInt()).isEqualTo(201);
    assertThat(found.at("/response/body")).isEqualTo(Json.parse("{\"wrapped\":{\"ok\":true}}"));
    String byManagement = "actor_id=" + fixture.tenant.management().id();
    assertThat(fixture.tenant.messages(byManagement)).contains("Proxy dry run");
  }

  @Test
  void readsReturnMasksAndAreRecordedForApplication() {
    assertThat(got("read").get("data").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(got("list").at("/data/0/data").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(got("detokenize").get("a").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(fixture.tenant.messages("actor_id=" + owner.id())).contains("Token retrieved");
  }

  @Test
  void writesAndFetchesAreRefusedWithoutMocks() {
    for (String todo : List.of("create", "delete", "fetch")) {
      JsonNode found = doing(todo);

      assertThat(found.has("request")).isFalse();
      assertThat(found.at("/request_transform/error/status").asInt()).isBetween(500, 501);
      assertThat(found.at("/request_transform/error/line").asInt()).isPositive();
    }
    owner.get("/tokens/" + id).expect(200);
  }

  @Test
  void expressionsStayLiteralWithoutApplication() {
    JsonNode found =
        tried(Json.object("request", Json.object("body", Json.object("card", "{{" + id + "}}"))));

    assertThat(found.get("expressions")).isEmpty();
    assertThat(found.at("/request/body/card").asText()).isEqualTo("{{" + id + "}}");
  }
}
