package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.adapters.http.request.TokenListQuery;
import io.tokenvault.adapters.http.request.TokenSearchRequest;
import io.tokenvault.adapters.http.resource.AccessRoutes;
import io.tokenvault.adapters.http.resource.ApplicationRoutes;
import io.tokenvault.adapters.http.resource.ProxyRoutes;
import io.tokenvault.adapters.http.resource.TokenRoutes;
import io.tokenvault.adapters.http.resource.Tokenization;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.request.JsonFields;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that a body with a million errors costs little and returns few messages. */
class ManyViolationsTest {

  private static final int MILLION = 1_000_000;
  private static final JsonValue WRONG = new JsonArray(List.of());
  private static final JsonArray WRONG_ITEMS = new JsonArray(Collections.nCopies(MILLION, WRONG));
  private static final JsonObject WRONG_FIELDS = wrongFields();

  private static JsonObject wrongFields() {
    Map<String, JsonValue> wrongFields = new HashMap<>();
    for (int i = 0; i < MILLION; i++) {
      wrongFields.put("member-" + i, WRONG);
    }
    return new JsonObject(wrongFields);
  }

  private static Map<String, List<String>> errors(JsonValue body, Function<JsonFields, ?> reader) {
    Violations violations = new Violations();
    Object unused = reader.apply(JsonFields.of(body, violations));
    return violations.asMap();
  }

  private static JsonObject object(String name, JsonValue value) {
    return new JsonObject(Map.of(name, value));
  }

  private static JsonObject inRule(String name) {
    return object("rules", new JsonArray(List.of(object(name, WRONG_ITEMS))));
  }

  private static DynamicTest pathLimit(
      String path, JsonValue body, Function<JsonFields, ?> reader, String message) {
    return dynamicTest(
        path + " " + message,
        () ->
            assertThat(errors(body, reader))
                .containsEntry(path, List.of(message))
                .hasSizeLessThan(10));
  }

  private static DynamicTest fieldLimit(
      String name, JsonValue wrong, Function<JsonFields, ?> reader, String message) {
    return pathLimit(name, object(name, wrong), reader, message);
  }

  @TestFactory
  Stream<DynamicTest> lengthIsCheckedBeforeElements() {
    return Stream.of(
            applicationLimits(ApplicationRoutes::read),
            applicationLimits(ApplicationRoutes::readUpdate),
            tokenLimits(TokenRoutes::read, 50),
            tokenLimits(TokenRoutes::readPatch, 100),
            proxyLimits(ProxyRoutes::read),
            proxyLimits(ProxyRoutes::readUpdate))
        .flatMap(each -> each);
  }

  private static Stream<DynamicTest> applicationLimits(Function<JsonFields, ?> reader) {
    return Stream.of(
        fieldLimit("permissions", WRONG_ITEMS, reader, "must be at most 50"),
        fieldLimit("rules", WRONG_ITEMS, reader, "must be at most 50"),
        pathLimit("rules[0].permissions", inRule("permissions"), reader, "must be at most 50"),
        pathLimit("rules[0].conditions", inRule("conditions"), reader, "must be at most 20"));
  }

  private static Stream<DynamicTest> tokenLimits(Function<JsonFields, ?> reader, int entries) {
    return Stream.of(
        fieldLimit("containers", WRONG_ITEMS, reader, "must be 1 to 20, or omitted"),
        fieldLimit("search_indexes", WRONG_ITEMS, reader, "must be at most 20"),
        fieldLimit("metadata", WRONG_FIELDS, reader, "must have at most " + entries + " entries"));
  }

  private static Stream<DynamicTest> proxyLimits(Function<JsonFields, ?> reader) {
    return Stream.of(
        fieldLimit("configuration", WRONG_FIELDS, reader, "must have at most 100 entries"));
  }

  @Test
  void transformListQueryIsBounded() {
    for (String name : List.of("id", "type")) {
      Violations violations = new Violations();
      TokenListQuery.read(object(name, WRONG_ITEMS), violations);
      assertThat(violations.asMap()).isEqualTo(Map.of(name, List.of("must be at most 1000")));
    }
    Violations violations = new Violations();
    TokenListQuery.read(object("metadata", WRONG_FIELDS), violations);
    assertThat(violations.asMap())
        .isEqualTo(Map.of("metadata", List.of("must have at most 50 entries")));
  }

  @Test
  void unknownSearchFieldsAreReportedUpToLimit() {
    Violations violations = new Violations();

    TokenSearchRequest.read(JsonFields.of(WRONG_FIELDS, violations), violations);

    assertThat(violations.asMap()).hasSizeBetween(100, 101);
    assertThat(violations.asMap().get("error")).last().asString().contains("may be more");
  }

  @TestFactory
  Stream<DynamicTest> unknownFieldsAreReportedUpToLimit() {
    return Stream.<Function<JsonFields, ?>>of(
            ApplicationRoutes::read,
            ApplicationRoutes::readUpdate,
            ProxyRoutes::read,
            ProxyRoutes::readUpdate,
            TokenRoutes::read,
            TokenRoutes::readPatch,
            AccessRoutes::readQuestion)
        .map(
            reader ->
                dynamicTest(
                    "unknown fields",
                    () -> {
                      Map<String, List<String>> errors = errors(WRONG_FIELDS, reader);
                      assertThat(errors).hasSizeBetween(100, 101);
                      assertThat(errors.get("error")).last().asString().contains("may be more");
                    }));
  }

  @Test
  void tokensAreValidatedUpToMessageLimit() {
    Violations violations = new Violations();
    JsonObject wrong = new JsonObject(Map.of("id", WRONG, "type", WRONG, "data", JsonNull.NULL));

    assertThat(
            Tokenization.of(new JsonArray(Collections.nCopies(MILLION, wrong)), violations)
                .drafts())
        .hasSizeLessThan(Violations.MAX_MESSAGES);

    assertThat(violations.asMap()).hasSize(Violations.MAX_MESSAGES + 1).containsKey("[0].id");
  }

  /** Each path would be 12 KB long, so that a million of them would take 12 GB. */
  @Test
  void pathsOfValidValuesAreNotBuilt() {
    JsonValue value = new JsonArray(Collections.nCopies(MILLION, JsonNull.NULL));
    for (int i = 0; i < 60; i++) {
      value = object("n".repeat(200), value);
    }
    long before = allocatedBytes();

    assertThat(Tokenization.of(value, new Violations()).drafts()).isEmpty();

    assertThat(allocatedBytes() - before).isLessThan(200L * MILLION);
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean)
            java.lang.management.ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
