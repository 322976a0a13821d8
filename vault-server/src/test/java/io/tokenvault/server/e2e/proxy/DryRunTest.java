package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Dry runs of proxies send nothing and return masks only. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DryRunTest {

  private static final String MARKER = "4000056655665556";
  private static final String CODE =
      """
      module.exports = async ({ args, configuration, bt }) => {
        const { mode, id } = args.body;
        const call = {
          read: () => bt.tokens.retrieve(id),
          list: () => bt.tokens.list({}),
          detokenize: () => bt.detokenize({ a: `{{${id}}}` }),
          create: () => bt.tokens.create({ type: 'token', data: 'x' }),
          delete: () => bt.tokens.delete(id),
          fetch: async () => (await fetch('https://a.example/x')).json(),
        }[mode];
        const result = call ? await call() : null;
        return { body: { ...args.body, k: configuration.K, result } };
      };
      """;

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  private final Client owner = fixture.tenant.owner();
  private final String id = owner.token(Json.object("type", "card_number", "data", MARKER));
  private String path;

  @BeforeAll
  void start() {
    ObjectNode draft = TenantFixture.transformingDraft(fixture.destination.url() + "/v1?a=b", CODE);
    draft.put("application_id", owner.id()).set("configuration", Json.object("K", "v"));
    String wrap = "module.exports = async ({ args }) => ({ body: { wrapped: args.body } });";
    draft.set("response_transform", Json.object("code", wrap));
    path = "/proxies/" + fixture.tenant.proxy(draft).get("id").asText() + "/test";
  }

  private JsonNode dryRun(Object sample) {
    Response response = fixture.tenant.management().post(path, sample).expect(200);
    assertThat(response.text()).doesNotContain(MARKER);
    assertThat(fixture.destination.count()).as("requests at the destination").isZero();
    return response.json();
  }

  private JsonNode dryRunOf(String mode) {
    return dryRun(Json.object("request", Json.object("body", Json.object("mode", mode, "id", id))));
  }

  @Test
  void masksReplaceDataAndPermissionsAreReported() {
    String sample =
        """
        {"request": {"path": "/c/{{ID}}", "headers": {"X-A": "{{ID | last4}}"},
                     "body": {"card": "{{ID}}", "none": "{{no-such-token}}"}},
         "application": {"id": "%s"},
         "response": {"status": 201, "body": {"ok": true}}}
        """;
    JsonNode report = dryRun(sample.formatted(owner.id()).replace("ID", id));
    String expressions =
        """
        [{"id": "ID", "exists": true, "usable": true, "deliverable": true},
         {"id": "no-such-token", "exists": false, "usable": false, "deliverable": false}]
        """;
    assertThat(report.get("expressions")).isEqualTo(Json.parse(expressions.replace("ID", id)));
    assertThat(report.at("/request/url").asText())
        .isEqualTo(fixture.destination.url() + "/v1/c/XXXXXXXXXXXX5556?a=b");
    assertThat(report.at("/request/headers/X-A").asText()).isEqualTo("5556");
    assertThat(report.at("/request/body/card").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(report.at("/request/body/none").asText()).isEqualTo("[redacted]");
    assertThat(report.at("/request/body/k").asText()).isEqualTo("v");
    assertThat(report.at("/response/status").asInt()).isEqualTo(201);
    assertThat(report.at("/response/body")).isEqualTo(Json.parse("{\"wrapped\":{\"ok\":true}}"));
    String byManagement = "actor_id=" + fixture.tenant.management().id();
    assertThat(fixture.tenant.messages(byManagement)).contains("Proxy dry run");
  }

  @Test
  void readsReturnMasksAndAreRecordedForApplication() {
    assertThat(resultOf("read").get("data").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(resultOf("list").at("/data/0/data").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(resultOf("detokenize").get("a").asText()).isEqualTo("XXXXXXXXXXXX5556");
    assertThat(fixture.tenant.messages("actor_id=" + owner.id())).contains("Token retrieved");
  }

  private JsonNode resultOf(String mode) {
    return dryRunOf(mode).at("/request/body/result");
  }

  @Test
  void writesAndFetchesAreRefusedWithoutMocks() {
    for (String mode : List.of("create", "delete", "fetch")) {
      JsonNode report = dryRunOf(mode);

      assertThat(report.has("request")).isFalse();
      assertThat(report.at("/request_transform/error/status").asInt()).isBetween(500, 501);
      assertThat(report.at("/request_transform/error/line").asInt()).isPositive();
    }
    owner.get("/tokens/" + id).expect(200);
  }
}
