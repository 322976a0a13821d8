package io.tokenvault.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be said of the OpenAPI document without a vault that it describes. */
class ApiDocumentTest {

  private static final String NAME = "https://vault.test/openapi.json";
  private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

  private final byte[] json = new ApiDocument(ServiceHeaders.DEFAULT).json();
  private final String text = new String(json, StandardCharsets.UTF_8);
  private final JsonNode document = read(json);
  private final JsonSchemaFactory schemas =
      JsonSchemaFactory.getInstance(
          VersionFlag.V202012,
          builder -> builder.schemaLoaders(loaders -> loaders.schemas(Map.of(NAME, text))));

  private static JsonNode read(byte[] json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (IOException invalid) {
      throw new AssertionError("not JSON", invalid);
    }
  }

  /** Calls for each object of the document, with its place as a JSON pointer. */
  private static void walk(JsonNode node, String place, BiConsumer<String, JsonNode> visitor) {
    if (node.isObject()) {
      visitor.accept(place, node);
      node.properties()
          .forEach(each -> walk(each.getValue(), place + "/" + each.getKey(), visitor));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      walk(node.get(i), place + "/" + i, visitor);
    }
  }

  private JsonSchema schema(JsonNode schema) {
    return schemas.getSchema(schema.toString().replace("\"#/", "\"" + NAME + "#/"));
  }

  private JsonSchema openApi() {
    try (InputStream rules = getClass().getResourceAsStream("/openapi/oas-3.1.yaml")) {
      return schemas.getSchema(new YAMLMapper().readTree(rules));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  private JsonSchema jsonSchema() {
    return schemas.getSchema(SchemaLocation.of(VersionFlag.V202012.getId()));
  }

  @Test
  void documentIsValidOpenApi() {
    assertThat(openApi().validate(document)).isEmpty();
  }

  @Test
  void everySchemaIsValidJsonSchema() {
    JsonSchema rules = jsonSchema();
    List<String> places = new ArrayList<>();
    walk(
        document,
        "",
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
    walk(
        document,
        "",
        (place, node) -> {
          JsonNode rules = node.has("schema") ? node.get("schema") : node;
          for (JsonNode value : samples(node, place)) {
            places.add(place);
            assertThat(schema(rules).validate(value)).as("%s: %s", place, value).isEmpty();
          }
        });
    assertThat(places).isNotEmpty();
  }

  /** In an operation's responses, {@code default} is something else. */
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
  void everyOperationHasExamplesOfItsMessages() {
    List<String> missing = new ArrayList<>();
    walk(
        document.get("paths"),
        "",
        (place, node) -> {
          if (node.has("operationId") && lacksExample(node.path("requestBody"))) {
            missing.add(place + "/requestBody");
          }
          if (place.endsWith("/responses")) {
            node.properties().stream()
                .filter(each -> each.getKey().startsWith("2") && lacksExample(each.getValue()))
                .forEach(each -> missing.add(place + "/" + each.getKey()));
          }
        });

    assertThat(missing).isEmpty();
  }

  /** Messages without content need no example; of several content types, one needs it. */
  private boolean lacksExample(JsonNode message) {
    JsonNode content = resolved(message).path("content");
    return !content.isEmpty()
        && stream(content)
            .noneMatch(
                each -> each.has("example") || resolved(each.path("schema")).has("examples"));
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
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
    document
        .path("components")
        .properties()
        .forEach(
            kind ->
                kind.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        name -> unused.add("#/components/" + kind.getKey() + "/" + name)));
    unused.removeAll(document.findValuesAsText("$ref"));
    document
        .path("security")
        .forEach(
            each ->
                each.fieldNames()
                    .forEachRemaining(
                        name -> unused.remove("#/components/securitySchemes/" + name)));

    assertThat(unused).isEmpty();
  }

  @Test
  void everyOperationHasAnId() {
    List<String> missing = new ArrayList<>();
    walk(
        document.get("paths"),
        "",
        (place, node) -> {
          if (node.has("responses") && !node.has("operationId")) {
            missing.add(place);
          }
        });

    assertThat(missing).isEmpty();
  }

  @Test
  void everyPathDescribesExactlyItsParameters() {
    document
        .get("paths")
        .properties()
        .forEach(
            path -> {
              List<JsonNode> items = new ArrayList<>(List.of(path.getValue()));
              path.getValue().forEach(items::add);
              Set<String> described = new TreeSet<>();
              items.stream()
                  .flatMap(item -> stream(item.path("parameters")))
                  .filter(each -> each.path("in").asText().equals("path"))
                  .forEach(each -> described.add(each.path("name").asText()));
              assertThat(described)
                  .as(path.getKey())
                  .containsExactlyInAnyOrderElementsOf(
                      PARAMETER
                          .matcher(path.getKey())
                          .results()
                          .map((MatchResult each) -> each.group(1))
                          .toList());
            });
  }

  private Stream<JsonNode> stream(JsonNode parameters) {
    List<JsonNode> resolved = new ArrayList<>();
    parameters.forEach(each -> resolved.add(resolved(each)));
    return resolved.stream();
  }

  @Test
  void namesOfHeadersFollowTheirPrefix() {
    assertThat(
            new String(new ApiDocument(new ServiceHeaders("ACME-")).json(), StandardCharsets.UTF_8))
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
