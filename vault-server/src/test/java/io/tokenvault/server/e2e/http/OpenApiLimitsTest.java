package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The API enforces exactly the limits of {@code /openapi.json}. Transforms are not tested, since
 * compiling 50,000 characters takes seconds.
 */
class OpenApiLimitsTest {

  private static final String RULE =
      """
      {"description": "d", "priority": 1, "transform": "mask", "permissions": ["token:read"],
       %s}\
      """;
  private static final String IN_CONTAINER = RULE.formatted("\"container\": \"/pci/\"");
  private static final String MEETS_CONDITION =
      RULE.formatted(
          "\"conditions\": [{\"attribute\": \"id\", \"operator\": \"equals\", \"value\": \"v\"}]");

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();
  private final Client owner = tenant.owner();
  private final JsonNode document = RunningVault.shared().get("/openapi.json").expect(200).json();

  /** A property with a value at its limit, or just beyond it. */
  private record Case(String pointer, JsonNode value, boolean valid) {

    /** Returns the name of the property in errors, such as {@code rules[0].name}. */
    String path() {
      return pointer.substring(1).replaceAll("/(\\d+)", "[$1]").replace('/', '.');
    }
  }

  @Test
  void applicationLimitsMatchDocument() {
    check(
        management, "/applications", "ApplicationDraft", application("private", IN_CONTAINER), 20);
    JsonNode expiring = application("expiring", MEETS_CONDITION);
    check(management, "/applications", "ApplicationDraft", expiring, 20);
    JsonNode question =
        Json.object("application_id", owner.id(), "permission", "token:read", "container", "/pci/");
    check(management, "/access/explain", "AccessQuestion", question, 2);
  }

  @Test
  void tokenLimitsMatchDocument() {
    JsonNode token =
        Json.parse(
            """
            {"type": "token", "data": "d", "containers": ["/pci/"], "metadata": {"k": "v"},
             "search_indexes": ["{{ data }}"]}\
            """);
    check(owner, "/tokens", "TokenDraft", token, 10);
    JsonNode search =
        document.at("/paths/~1tokens~1search/post/requestBody/content/application~1json/schema");
    JsonNode query = Json.object("query", "metadata.k:v", "page", 1, "size", 1);
    check(owner, "/tokens/search", search, query, 6);
  }

  @Test
  void proxyLimitsMatchDocument() {
    JsonNode proxy =
        Json.parse(
            """
            {"name": "n", "destination_url": "https://payments.test/v1", "timeout_ms": 1,
             "configuration": {"k": "v"}}\
            """);
    check(management, "/proxies", "ProxyFields", proxy, 12);
    String id = tenant.proxy("https://payments.test/v1").path("id").asText();
    JsonNode sample =
        Json.parse("{\"request\": {\"method\": \"POST\"}, \"response\": {\"status\": 200}}");
    check(management, "/proxies/" + id + "/test", "Sample", sample, 5);
  }

  @Test
  void queryParameterLimitsMatchDocument() {
    int checked = 0;
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      Client client = path.getKey().startsWith("/tokens") ? owner : management;
      for (JsonNode reference : path.getValue().path("get").path("parameters")) {
        JsonNode parameter = Json.resolved(document, reference);
        String name = parameter.get("name").asText();
        if (parameter.path("in").asText().equals("query")) {
          for (Case each : cases("/" + name, parameter.get("schema"), null)) {
            if (each.value.isNumber()) {
              checked++;
              check(each, client.get(path.getKey() + "?" + name + "=" + each.value.asText()));
            }
          }
        }
      }
    }
    assertThat(checked).isGreaterThan(15);
  }

  private static JsonNode application(String type, String rule) {
    ObjectNode application =
        Json.object("name", "n", "type", type, "rules", List.of(Json.parse(rule)));
    return type.equals("private")
        ? application.set("permissions", Json.of(List.of("token:use")))
        : application;
  }

  private void check(Client client, String path, String schema, JsonNode body, int minimumCases) {
    check(client, path, document.at("/components/schemas/" + schema), body, minimumCases);
  }

  /** Sends the body with the value of each case in place of the original. */
  private void check(Client client, String path, JsonNode schema, JsonNode body, int minimumCases) {
    List<Case> cases = cases("", schema, body);
    assertThat(cases).hasSizeGreaterThanOrEqualTo(minimumCases);
    for (Case each : cases) {
      int slash = each.pointer.lastIndexOf('/');
      String name = each.pointer.substring(slash + 1);
      JsonNode changed = body.deepCopy();
      JsonNode parent = changed.at(each.pointer.substring(0, slash));
      if (parent instanceof ArrayNode array) {
        array.set(Integer.parseInt(name), each.value);
      } else {
        ((ObjectNode) parent).set(name, each.value);
      }
      check(each, client.post(path, changed));
    }
  }

  /** A value within its limits may be invalid otherwise, such as 50 rules with one priority. */
  private static void check(Case value, Response response) {
    List<String> errors = Json.names(response.json().path("errors"));
    if (value.valid) {
      assertThat(errors).as("%s: %s", value, response).doesNotContain(value.path());
    } else {
      response.expectProblem(400, "validation-failed");
      assertThat(errors)
          .as("%s: %s", value, response)
          .anyMatch(error -> error.startsWith(value.path()));
    }
  }

  private List<Case> cases(String pointer, JsonNode reference, JsonNode value) {
    JsonNode schema = Json.resolved(document, reference);
    List<Case> cases = new ArrayList<>();
    addRange(schema, pointer, cases);
    if (value == null || value.isMissingNode()) {
      return cases;
    }
    if (schema.has("enum")) {
      cases.add(new Case(pointer, TextNode.valueOf("other"), false));
    }
    if (value.isTextual()) {
      addLimits(schema, "Length", pointer, length -> padded(value.asText(), length), cases);
    } else if (value.isArray()) {
      addLimits(schema, "Items", pointer, count -> copies(value.get(0), count), cases);
      cases.addAll(cases(pointer + "/0", schema.get("items"), value.get(0)));
    } else if (schema.has("propertyNames")) {
      addLimits(schema, "Properties", pointer, OpenApiLimitsTest::entries, cases);
      JsonNode keys = schema.path("propertyNames");
      addLimits(keys, "Length", pointer, length -> Json.object("k".repeat(length), "v"), cases);
      cases.addAll(cases(pointer + "/k", schema.get("additionalProperties"), value.get("k")));
    } else {
      for (String name : Json.names(schema.path("properties"))) {
        cases.addAll(
            cases(pointer + "/" + name, schema.at("/properties/" + name), value.path(name)));
      }
    }
    return cases;
  }

  private static void addRange(JsonNode schema, String pointer, List<Case> cases) {
    Map.of("minimum", -1, "maximum", 1)
        .forEach(
            (limit, step) -> {
              if (schema.has(limit)) {
                long bound = schema.get(limit).asLong();
                cases.add(new Case(pointer, Json.of(bound), true));
                cases.add(new Case(pointer, Json.of(bound + step), false));
              }
            });
  }

  private static void addLimits(
      JsonNode schema, String unit, String pointer, IntFunction<JsonNode> value, List<Case> cases) {
    if (schema.has("max" + unit)) {
      int maximum = schema.get("max" + unit).asInt();
      cases.add(new Case(pointer, value.apply(maximum), true));
      cases.add(new Case(pointer, value.apply(maximum + 1), false));
    }
    if (schema.has("min" + unit)) {
      int minimum = schema.get("min" + unit).asInt();
      cases.add(new Case(pointer, value.apply(minimum - 1), false));
    }
  }

  /** Changes the length of a string that remains a valid container, URL, code or query. */
  private static JsonNode padded(String text, int length) {
    String end = text.endsWith("/") ? "/" : "";
    int missing = length - text.length() - end.length();
    return TextNode.valueOf(
        missing < 0 ? text.substring(0, length) : text + "a".repeat(missing) + end);
  }

  private static JsonNode copies(JsonNode item, int count) {
    return Json.of(IntStream.range(0, count).mapToObj(i -> item).toList());
  }

  private static JsonNode entries(int count) {
    ObjectNode entries = Json.object();
    IntStream.range(0, count).forEach(i -> entries.put("k" + i, "v"));
    return entries;
  }
}
