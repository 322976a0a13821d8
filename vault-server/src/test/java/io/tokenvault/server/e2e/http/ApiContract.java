package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Checks responses against {@code /openapi.json} and collects the statuses that it has seen. */
final class ApiContract {

  private static final String URL = "https://vault.test/openapi.json";
  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

  private final JsonNode document;
  private final JsonSchemaFactory schemas;
  private final SchemaValidatorsConfig strict =
      SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
  private final Set<String> seen = new TreeSet<>();

  ApiContract(String json) {
    this.document = Json.parse(json);
    this.schemas =
        JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            builder -> builder.schemaLoaders(loaders -> loaders.schemas(Map.of(URL, json))));
  }

  JsonNode document() {
    return document;
  }

  /** Returns all operations, such as <code>GET /tokens/{id}</code>. */
  Set<String> operations() {
    Set<String> operations = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      Json.names(path.getValue()).stream()
          .filter(METHODS::contains)
          .forEach(method -> operations.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey()));
    }
    return operations;
  }

  /** Returns all documented statuses, such as <code>GET /tokens/{id} 200</code>. */
  Set<String> documentedStatuses() {
    Set<String> statuses = new TreeSet<>();
    for (String operation : operations()) {
      Json.names(responses(operation)).stream()
          .filter(status -> !status.equals("default"))
          .forEach(status -> statuses.add(operation + " " + status));
    }
    return statuses;
  }

  Set<String> seenStatuses() {
    return seen;
  }

  /** Asserts that a response has the form documented for its status, and collects the status. */
  Response check(String operation, Response response) {
    JsonNode responses = responses(operation);
    String status = statusKey(responses, response.status());
    seen.add(operation + " " + status);
    JsonNode documented = Json.resolved(document, responses.get(status));
    for (Map.Entry<String, JsonNode> header : documented.path("headers").properties()) {
      checkHeader(header.getKey(), Json.resolved(document, header.getValue()), response);
    }
    if (documented.has("content") && !operation.startsWith("HEAD ")) {
      checkBody(documented.get("content"), response);
      checkProblemType(operation, response);
    } else {
      assertThat(response.bytes()).as("%s", response).isEmpty();
    }
    return response;
  }

  private JsonNode responses(String operation) {
    String[] words = operation.split(" ");
    JsonNode found = document.path("paths").path(words[1]).path(words[0].toLowerCase(Locale.ROOT));
    assertThat(found.isObject()).as("%s is documented", operation).isTrue();
    return found.get("responses");
  }

  private static String statusKey(JsonNode responses, int status) {
    String exact = Integer.toString(status);
    String range = exact.charAt(0) + "XX";
    return responses.has(exact) ? exact : responses.has(range) ? range : "default";
  }

  private static void checkHeader(String name, JsonNode documented, Response response) {
    if (documented.path("required").asBoolean()) {
      assertThat(response.header(name)).as("%s of %s", name, response).isPresent();
    }
  }

  private void checkBody(JsonNode content, Response response) {
    String type = response.header("Content-Type").orElse("none").split(";")[0];
    JsonNode documented = content.has("*/*") ? content.get("*/*") : content.get(type);
    assertThat(documented).as("%s is documented for %s", type, response).isNotNull();
    if (type.endsWith("json")) {
      assertThat(schema(documented.get("schema")).validate(response.json()))
          .as("%s", response)
          .isEmpty();
    }
  }

  /** Asserts that the problem type is documented for the operation, its path, or all paths. */
  private void checkProblemType(String operation, Response response) {
    if (response.status() < 400 || response.header("SVC-PROXY-DESTINATION-STATUS").isPresent()) {
      return;
    }
    String[] words = operation.split(" ");
    JsonNode path = document.path("paths").path(words[1]);
    List<String> types = new ArrayList<>();
    Stream.of(document, path, path.path(words[0].toLowerCase(Locale.ROOT)))
        .forEach(each -> types.addAll(Json.texts(each.path("x-problems"))));
    JsonNode body = response.json();
    String urn = body.path("proxy_error").path("type").asText(body.path("type").asText());
    assertThat(types).as("%s", response).contains(urn.substring(urn.lastIndexOf(':') + 1));
  }

  /** Returns a schema whose references are resolved in the whole document. */
  private JsonSchema schema(JsonNode schema) {
    return schemas.getSchema(schema.toString().replace("\"#/", "\"" + URL + "#/"), strict);
  }
}
