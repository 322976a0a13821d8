package io.tokenvault.domain.token;

import static io.tokenvault.domain.json.JsonValue.JsonNull.NULL;
import static io.tokenvault.domain.json.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.Change.Keep;
import io.tokenvault.domain.token.Change.Reset;
import io.tokenvault.domain.token.Change.To;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TokenPatchTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final JsonValue OLD_DATA = object("name", "A", "city", "B");
  private static final String EXPRESSION = "must be a string with an expression";

  private static final TokenExpressions OLD_EXPRESSIONS =
      new TokenExpressions(
          Optional.of(object("name", "{{ data.name }}", "city", "{{ data.city }}")),
          List.of("{{ data.name }}"),
          Optional.of("{{ data.city }}"));

  private static final TokenSettings OLD_SETTINGS =
      new TokenSettings(
          List.of(new Container("/pii/")), Map.of("a", "1", "b", "2"), Optional.of(LATER));

  @Test
  void emptyPatchChangesNothing() {
    TokenPatch patch = patch(p -> {});

    assertThat(check(patch)).isEmpty();
    assertThat(patch.changesContent()).isFalse();
    assertThat(patch.changesExpressions()).isFalse();
    assertThat(patch.movesToken()).isFalse();
    assertThat(patch.keepsSomeOf(OLD_DATA)).isTrue();
    assertThat(patch.applyToData(OLD_DATA)).isEqualTo(OLD_DATA);
    assertThat(patch.applyTo(OLD_EXPRESSIONS)).isEqualTo(OLD_EXPRESSIONS);
    assertThat(settings(patch)).isEqualTo(OLD_SETTINGS);
  }

  @Test
  void dataIsMerged() {
    TokenPatch patch = patch(p -> p.data = new To<>(object("city", "C", "zip", "D")));

    assertThat(check(patch)).isEmpty();
    assertThat(patch.changesContent()).isTrue();
    assertThat(patch.changesExpressions()).isFalse();
    assertThat(patch.keepsSomeOf(OLD_DATA)).isTrue();
    assertThat(patch.applyToData(OLD_DATA)).isEqualTo(object("name", "A", "city", "C", "zip", "D"));
  }

  @Test
  void nonObjectDataReplacesAll() {
    TokenPatch patch = patch(p -> p.data = new To<>(JsonValue.of("C")));

    assertThat(patch.keepsSomeOf(OLD_DATA)).isFalse();
    assertThat(patch.applyToData(OLD_DATA)).isEqualTo(JsonValue.of("C"));
  }

  @Test
  void maskIsMergedIntoExistingMask() {
    TokenPatch patch = patch(p -> p.mask = new To<>(object("name", NULL)));

    assertThat(patch.changesContent()).isTrue();
    assertThat(patch.changesExpressions()).isTrue();
    assertThat(patch.applyTo(OLD_EXPRESSIONS).mask()).contains(object("city", "{{ data.city }}"));
  }

  @Test
  void maskPatchAppliesWithoutExistingMask() {
    TokenPatch object = patch(p -> p.mask = new To<>(object("a", "x", "b", NULL)));
    TokenPatch string = patch(p -> p.mask = new To<>(JsonValue.of("x")));

    assertThat(object.applyTo(TokenExpressions.none()).mask()).contains(object("a", "x"));
    assertThat(string.applyTo(TokenExpressions.none()).mask()).contains(JsonValue.of("x"));
  }

  @Test
  void resetExpressionsHaveDefaults() {
    TokenPatch patch =
        patch(
            p -> {
              p.mask = new Reset<>();
              p.searchIndexes = new Reset<>();
              p.fingerprint = new Reset<>();
            });

    assertThat(check(patch)).isEmpty();
    assertThat(patch.changesExpressions()).isTrue();
    assertThat(patch.applyTo(OLD_EXPRESSIONS)).isEqualTo(TokenExpressions.none());
  }

  @Test
  void searchIndexesAndFingerprintAreReplaced() {
    TokenPatch patch =
        patch(
            p -> {
              p.searchIndexes = new To<>(List.of("x", "y"));
              p.fingerprint = new To<>("z");
            });

    assertThat(patch.changesExpressions()).isTrue();
    assertThat(patch.applyTo(OLD_EXPRESSIONS))
        .isEqualTo(
            new TokenExpressions(OLD_EXPRESSIONS.mask(), List.of("x", "y"), Optional.of("z")));
  }

  @Test
  void eachExpressionPropertyAloneChangesExpressions() {
    assertThat(
            Stream.of(
                patch(p -> p.mask = new Reset<>()),
                patch(p -> p.mask = new To<>(JsonValue.of("x"))),
                patch(p -> p.searchIndexes = new Reset<>()),
                patch(p -> p.searchIndexes = new To<>(List.of())),
                patch(p -> p.fingerprint = new Reset<>()),
                patch(p -> p.fingerprint = new To<>("x"))))
        .allMatch(TokenPatch::changesExpressions)
        .allMatch(TokenPatch::changesContent)
        .noneMatch(TokenPatch::movesToken);
  }

  @Test
  void metadataIsMerged() {
    Map<String, Optional<String>> entries = new LinkedHashMap<>();
    entries.put("a", Optional.empty());
    entries.put("b", Optional.of("3"));
    entries.put("c", Optional.of("4"));
    entries.put("d", Optional.empty());
    TokenPatch patch = patch(p -> p.metadata = new To<>(entries));

    assertThat(patch.changesContent()).isFalse();
    assertThat(settings(patch).metadata()).isEqualTo(Map.of("b", "3", "c", "4"));
  }

  @Test
  void mergedMetadataHasItsLimits() {
    Map<String, Optional<String>> entries = new LinkedHashMap<>();
    for (int i = 0; i < 49; i++) {
      entries.put("k" + i, Optional.of("v"));
    }
    Violations violations = new Violations();
    valid(patch(p -> p.metadata = new To<>(entries)))
        .applyTo(TokenType.TOKEN, OLD_SETTINGS, violations);

    assertThat(violations.asMap())
        .isEqualTo(Map.of("metadata", List.of("must have at most 50 entries")));
  }

  @Test
  void containersAreReplaced() {
    TokenPatch patch = patch(p -> p.containers = new To<>(List.of("/A/", "/b/", "/a/")));

    assertThat(check(patch)).isEmpty();
    assertThat(patch.movesToken()).isTrue();
    assertThat(patch.changesContent()).isFalse();
    assertThat(settings(patch).containers())
        .containsExactly(new Container("/a/"), new Container("/b/"));
  }

  @Test
  void resetContainersAreThoseOfType() {
    TokenPatch patch = patch(p -> p.containers = new Reset<>());

    assertThat(check(patch)).isEmpty();
    assertThat(patch.movesToken()).isTrue();
    assertThat(valid(patch).applyTo(TokenType.CARD, OLD_SETTINGS, new Violations()).containers())
        .containsExactly(new Container("/pci/high/"));
  }

  @Test
  void expiryIsReplacedOrRemoved() {
    Instant muchLater = LATER.plusSeconds(60);

    assertThat(settings(patch(p -> p.expiresAt = new To<>(muchLater))).expiresAt())
        .contains(muchLater);
    assertThat(settings(patch(p -> p.expiresAt = new Reset<>())).expiresAt()).isEmpty();
  }

  static Stream<Arguments> invalidPatches() {
    return Stream.of(
        arguments(patch(p -> p.data = new Reset<>()), "data", "cannot be null"),
        arguments(patch(p -> p.data = new To<>(NULL)), "data", "cannot be null"),
        arguments(
            patch(p -> p.containers = new To<>(List.of())),
            "containers",
            "must be 1 to 20, or omitted"),
        arguments(
            patch(p -> p.containers = new To<>(List.of("/", "marker"))),
            "containers[1]",
            Container.SHAPE),
        arguments(patch(p -> p.expiresAt = new To<>(NOW)), "expires_at", "must be in the future"),
        arguments(
            patch(p -> p.searchIndexes = new To<>(Collections.nCopies(21, "x"))),
            "search_indexes",
            "must be at most 20"),
        arguments(
            patch(p -> p.searchIndexes = new To<>(List.of(" "))), "search_indexes[0]", EXPRESSION),
        arguments(
            patch(p -> p.searchIndexes = new To<>(List.of("{{ data"))),
            "search_indexes[0]",
            ExpressionFields.UNCLOSED),
        arguments(
            patch(p -> p.mask = new To<>(object("a", "{{ data", "b", NULL))),
            "mask.a",
            ExpressionFields.UNCLOSED),
        arguments(
            patch(p -> p.fingerprint = new To<>("{% x %}")),
            "fingerprint_expression",
            ExpressionFields.TAG),
        arguments(patch(p -> p.fingerprint = new To<>("")), "fingerprint_expression", EXPRESSION));
  }

  @ParameterizedTest
  @MethodSource("invalidPatches")
  void violationIsReportedAtItsPath(TokenPatch patch, String path, String message) {
    assertThat(check(patch)).isEqualTo(Map.of(path, List.of(message)));
  }

  @Test
  void nullLiteralResetsMask() {
    TokenPatch patch = patch(p -> p.mask = new To<>(NULL));

    assertThat(patch.mask()).isEqualTo(new Reset<>());
  }

  @Test
  void toStringRedactsPatch() {
    assertThat(patch(p -> p.data = new To<>(JsonValue.of("marker"))).toString())
        .isEqualTo("TokenPatch[redacted]");
    assertThat(new To<>("marker").toString()).doesNotContain("marker");
  }

  private static TokenSettings settings(TokenPatch patch) {
    Violations violations = new Violations();
    TokenSettings settings = valid(patch).applyTo(TokenType.TOKEN, OLD_SETTINGS, violations);
    violations.throwIfAny();
    return settings;
  }

  private static Map<String, List<String>> check(TokenPatch patch) {
    Violations violations = new Violations();
    Optional<TokenPatch.Valid> valid = patch.parse(NOW, violations);
    assertThat(valid.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }

  private static TokenPatch.Valid valid(TokenPatch patch) {
    Violations violations = new Violations();
    return violations.require(patch.parse(NOW, violations));
  }

  /** Returns a patch that keeps all properties that the change does not set. */
  private static TokenPatch patch(Consumer<Parts> change) {
    Parts parts = new Parts();
    change.accept(parts);
    return new TokenPatch(
        parts.data,
        parts.mask,
        parts.metadata,
        parts.containers,
        parts.expiresAt,
        parts.searchIndexes,
        parts.fingerprint);
  }

  private static final class Parts {
    private Change<JsonValue> data = new Keep<>();
    private Change<JsonValue> mask = new Keep<>();
    private Change<Map<String, Optional<String>>> metadata = new Keep<>();
    private Change<List<String>> containers = new Keep<>();
    private Change<Instant> expiresAt = new Keep<>();
    private Change<List<String>> searchIndexes = new Keep<>();
    private Change<String> fingerprint = new Keep<>();
  }
}
