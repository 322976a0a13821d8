package io.tokenvault.server.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.config.Setting;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.openapi.ApiDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import okio.ByteString;
import org.junit.jupiter.api.Test;

/** Tests that the names and values that clients, operators and stored data depend on are stable. */
final class GoldenVectorsTest {

  private static final Path MIGRATIONS = Path.of("../vault-adapters-jdbi/src/main/resources");

  @Test
  void problemUrnsAndStatusesAreStable() throws IOException {
    Golden.matches(
        "problems.txt",
        Arrays.stream(FailureCause.values()).map(cause -> cause.urn() + " " + cause.code()));
  }

  @Test
  void settingNamesAreStable() throws IOException {
    Golden.matches("settings.txt", Arrays.stream(Setting.values()).map(Setting::variable));
  }

  /** Compares operations, parameters and statuses; descriptions and examples may change. */
  @Test
  void operationsOfTheApiAreStable() throws IOException {
    JsonNode document = new ObjectMapper().readTree(new ApiDocument(ServiceHeaders.DEFAULT).json());
    Golden.matches(
        "operations.txt",
        document.path("paths").properties().stream()
            .flatMap(
                path ->
                    path.getValue().properties().stream()
                        .filter(each -> each.getValue().has("responses"))
                        .map(
                            each ->
                                each.getKey()
                                    + " "
                                    + path.getKey()
                                    + " "
                                    + parameters(document, path.getValue(), each.getValue())
                                    + " "
                                    + new TreeSet<>(
                                        Json.names(each.getValue().path("responses"))))));
  }

  private static TreeSet<String> parameters(JsonNode document, JsonNode path, JsonNode operation) {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode each : List.of(path.path("parameters"), operation.path("parameters"))) {
      for (JsonNode parameter : each) {
        JsonNode resolved = Json.resolved(document, parameter);
        names.add(resolved.path("in").asText() + ":" + resolved.path("name").asText());
      }
    }
    return names;
  }

  /** Compares the names, types and requirement of all properties. */
  @Test
  void schemasOfTheApiAreStable() throws IOException {
    JsonNode document = new ObjectMapper().readTree(new ApiDocument(ServiceHeaders.DEFAULT).json());
    Golden.matches(
        "schemas.txt",
        document.path("components").path("schemas").properties().stream()
            .flatMap(
                schema ->
                    schema.getValue().path("properties").properties().stream()
                        .map(
                            property ->
                                schema.getKey()
                                    + "."
                                    + property.getKey()
                                    + " "
                                    + type(property.getValue())
                                    + (Json.texts(schema.getValue().path("required"))
                                            .contains(property.getKey())
                                        ? " (required)"
                                        : ""))));
  }

  private static String type(JsonNode property) {
    return property.has("$ref")
        ? property.path("$ref").asText().replaceAll(".*/", "")
        : property.path("type").asText();
  }

  /** Compares hashes, because applied migrations must not change; a new one adds a line. */
  @Test
  void migrationsAreStable() throws IOException {
    try (Stream<Path> files = Files.walk(MIGRATIONS)) {
      Golden.matches(
          "migrations.txt",
          files
              .filter(file -> file.toString().endsWith(".sql"))
              .map(file -> file.getFileName() + " " + sha256(file)));
    }
  }

  private static String sha256(Path file) {
    return ByteString.of(Unchecked.get(() -> Files.readAllBytes(file))).sha256().hex();
  }

  @Test
  void entityTypesAndOperationsOfTheLogAreStable() throws IOException {
    Golden.matches(
        "log.txt",
        Stream.concat(
            EntityType.all().stream().map(type -> "entity " + type.value()),
            Arrays.stream(Operation.values()).map(operation -> "operation " + operation.value())));
  }
}
