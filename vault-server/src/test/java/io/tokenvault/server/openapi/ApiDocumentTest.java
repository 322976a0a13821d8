package io.tokenvault.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.e2e.fixture.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the OpenAPI document without a running server. */
class ApiDocumentTest {

  private static final String NAME = "https://vault.test/openapi.json";
  private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

  private final String text = text(ServiceHeaders.DEFAULT);
  private final JsonNode document = Json.parse(text);

  /** Each object of the document by its JSON pointer. */
  private final Map<String, JsonNode> objects = new LinkedHashMap<>();

  private final JsonSchemaFactory schemas =
      JsonSchemaFactory.getInstance(
          VersionFlag.V202012,
          builder -> builder.schemaLoaders(loaders -> loaders.schemas(Map.of(NAME, text))));

  ApiDocumentTest() {
    collect(document, "");
  }

  private static String text(ServiceHeaders headers) {
    return new String(new ApiDocument(headers).json(), StandardCharsets.UTF_8);
  }

  private void collect(JsonNode node, String place) {
    if (node.isObject()) {
      objects.put(place, node);
      node.properties().forEach(each -> collect(each.getValue(), place + "/" + each.getKey()));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      collect(node.get(i), place + "/" + i);
    }
  }

  private JsonSchema schema(JsonNode schema) {
    return schemas.getSchema(schema.toString().replace("\"#/", "\"" + NAME + "#/"));
  }

  @Test
  void documentIsValidOpenApi() throws IOException {
    try (InputStream rules = getClass().getResourceAsStream("/openapi/oas-3.1.yaml")) {
      JsonSchema openApi = schemas.getSchema(new YAMLMapper().readTree(rules));

      assertThat(openApi.validate(document)).isEmpty();
    }
  }

  @Test
  void everySchemaIsValidJsonSchema() {
    JsonSchema rules = schemas.getSchema(SchemaLocation.of(VersionFlag.V202012.getId()));
    List<String> places = new ArrayList<>();
    objects.forEach(
        (place, node) -> {
          if (place.endsWith("/schema") || place.matches("/components/schemas/[^/]+")) {
            places.add(place);
            assertThat(rules.validate(node)).as(place).isEmpty();
          }
        });
    assertThat(places).hasSizeGreaterThan(100);
  }

  @Test
  void everyDefaultAndExampleMatchesItsSchema() {
    List<String> places = new ArrayList<>();
    objects.forEach(
        (place, node) -> {
          JsonNode rules = node.has("schema") ? node.get("schema") : node;
          for (JsonNode value : samples(node, place)) {
            places.add(place);
            assertThat(schema(rules).validate(value)).as("%s: %s", place, value).isEmpty();
          }
        });
    assertThat(places).isNotEmpty();
  }

  /** Returns defaults and examples, but no responses or properties named {@code default}. */
  private static List<JsonNode> samples(JsonNode node, String place) {
    List<JsonNode> samples = new ArrayList<>();
    if (node.has("default") && !place.endsWith("/responses") && !place.endsWith("/properties")) {
      samples.add(node.get("default"));
    }
    if (node.has("example")) {
      samples.add(node.get("example"));
    }
    node.path("examples")
        .forEach(each -> samples.add(node.has("schema") ? each.path("value") : each));
    return samples;
  }

  @Test
  void everyMessageOfOperationHasExample() {
    List<String> missing = new ArrayList<>();
    objects.forEach(
        (place, node) -> {
          if (node.has("operationId") && lacksExample(node.path("requestBody"))) {
            missing.add(place + "/requestBody");
          }
          if (place.matches("/paths/.*/responses")) {
            node.properties().stream()
                .filter(each -> each.getKey().startsWith("2") && lacksExample(each.getValue()))
                .forEach(each -> missing.add(place + "/" + each.getKey()));
          }
        });

    assertThat(missing).isEmpty();
  }

  /** Returns whether a message has content, but no example for any content type. */
  private boolean lacksExample(JsonNode message) {
    JsonNode content = Json.resolved(document, message).path("content");
    return !content.isEmpty()
        && stream(content)
            .noneMatch(
                each ->
                    each.has("example")
                        || Json.resolved(document, each.path("schema")).has("examples"));
  }

  /**
   * Requests with unknown fields are rejected, except in a proxy's application, of which only the
   * id is read.
   */
  @Test
  void everyObjectOfPatchRejectsUnknownFields() {
    List<String> open =
        objects.entrySet().stream()
            .filter(each -> each.getKey().matches("/components/schemas/\\w+Patch(/.*)?"))
            .filter(each -> each.getValue().has("properties"))
            .filter(each -> !each.getValue().has("additionalProperties"))
            .map(Map.Entry::getKey)
            .toList();

    assertThat(open).containsExactly("/components/schemas/ProxyPatch/properties/application");
  }

  @Test
  void everyReferenceResolves() {
    List<String> references = document.findValuesAsText("$ref");

    assertThat(references).hasSizeGreaterThan(100);
    assertThat(references).allMatch(each -> !document.at(each.substring(1)).isMissingNode());
  }

  @Test
  void everyComponentIsUsed() {
    Set<String> unused = new TreeSet<>();
    for (String kind : Json.names(document.path("components"))) {
      for (String name : Json.names(document.path("components").get(kind))) {
        unused.add("#/components/" + kind + "/" + name);
      }
    }
    unused.removeAll(document.findValuesAsText("$ref"));
    for (JsonNode scheme : document.path("security")) {
      Json.names(scheme).forEach(name -> unused.remove("#/components/securitySchemes/" + name));
    }

    assertThat(unused).isEmpty();
  }

  @Test
  void everyOperationHasAnId() {
    assertThat(objects.entrySet())
        .filteredOn(each -> each.getKey().startsWith("/paths/") && each.getValue().has("responses"))
        .isNotEmpty()
        .allMatch(each -> each.getValue().has("operationId"));
  }

  @Test
  void everyPathDescribesExactlyItsParameters() {
    for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
      Set<String> described = new TreeSet<>();
      Stream.concat(Stream.of(path.getValue()), Json.stream(path.getValue()))
          .flatMap(item -> stream(item.path("parameters")))
          .filter(each -> each.path("in").asText().equals("path"))
          .forEach(each -> described.add(each.path("name").asText()));
      assertThat(PARAMETER.matcher(path.getKey()).results().map(each -> each.group(1)))
          .as(path.getKey())
          .containsExactlyInAnyOrderElementsOf(described);
    }
  }

  private Stream<JsonNode> stream(JsonNode parameters) {
    return Json.stream(parameters).map(each -> Json.resolved(document, each));
  }

  @Test
  void namesOfHeadersFollowTheirPrefix() {
    assertThat(text(new ServiceHeaders("ACME-")))
        .contains("ACME-API-KEY", "ACME-PROXY-KEY", "acme-proxy-key")
        .doesNotContain("SVC-", "svc-");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "components: {schemas: {A: {}}} | components: {schemas: {A: {}}}"
            + " | two defines /components/schemas/A again",
        "paths: {/a: {get: {}}} | paths: {/a: {put: {}}} | two defines /paths//a again",
        "paths: {/a: {get: {operationId: x}}} | paths: {/b: {get: {operationId: x}}}"
            + " | two operations have the operationId x",
        "paths: {} | paths: {/a: {get: {}, get: {}}} | two cannot be read",
        "components: {schemas: {A: {}, A: {}}} | paths: {} | one cannot be read"
      })
  void duplicateDefinitionIsRejected(String one, String two, String problem) {
    assertThatThrownBy(() -> assembled(one, two))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(problem);
  }

  private static ObjectNode assembled(String one, String two) {
    Map<String, String> files = Map.of("one", one, "two", two);
    return ApiDocument.assembled(
        List.of("one", "two"),
        part -> new ByteArrayInputStream(files.get(part).getBytes(StandardCharsets.UTF_8)));
  }
}
