package io.tokenvault.domain.token;

import static io.tokenvault.domain.json.JsonValues.array;
import static io.tokenvault.domain.json.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenDraftTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final JsonValue DATA = JsonValue.of("marker");
  private static final String TYPES =
      "must be one of token, card, bank, card_number, us_bank_account_number,"
          + " us_bank_routing_number, social_security_number, employer_id_number";
  private static final String REQUIRED_DATA = "is required and cannot be null";
  private static final String CONTAINER_COUNT = "must be 1 to 20, or omitted";
  private static final String KEYS = "must have keys of 1 to 100 characters";
  private static final String EXPRESSION = "must be a string with an expression";
  private static final String UNCLOSED =
      "has {{ without }}; write an expression as {{ data | filter }}";
  private static final String TAG =
      "has {%, but tags are not supported; write an expression as {{ data | filter }}";
  private static final JsonValue MASK = JsonValue.of("{{ data | last4 }}");
  private static final String VALUES = "must be a string of at most 1000 characters";

  static Stream<Arguments> invalidDrafts() {
    return Stream.of(
        arguments(draft("a", "token", DATA), "id", TokenId.SHAPE),
        arguments(draft(null, null, DATA), "type", "is required"),
        arguments(draft(null, "cart", DATA), "type", TYPES + ", not 'cart'"),
        arguments(draft(null, "4242424242424242", DATA), "type", TYPES),
        arguments(draft(null, "token", null), "data", REQUIRED_DATA),
        arguments(draft(null, "token", JsonNull.NULL), "data", REQUIRED_DATA),
        arguments(withContainers(List.of()), "containers", CONTAINER_COUNT),
        arguments(withContainers(Collections.nCopies(21, "/")), "containers", CONTAINER_COUNT),
        arguments(withContainers(List.of("/", "marker")), "containers[1]", Container.SHAPE),
        arguments(withContainers(Arrays.asList("/", null)), "containers[1]", Container.SHAPE),
        arguments(withMetadata(entries(51)), "metadata", "must have at most 50 entries"),
        arguments(withMetadata(Map.of("", "x")), "metadata", KEYS),
        arguments(withMetadata(Collections.singletonMap(null, "x")), "metadata", KEYS),
        arguments(withMetadata(Map.of("k".repeat(101), "x")), "metadata", KEYS),
        arguments(withMetadata(Collections.singletonMap("k", null)), "metadata.k", VALUES),
        arguments(withMetadata(Map.of("k", "x".repeat(1001))), "metadata.k", VALUES),
        arguments(expiringAt(NOW), "expires_at", "must be in the future"),
        arguments(
            withIndexes(Collections.nCopies(21, "x")), "search_indexes", "must be at most 20"),
        arguments(withIndexes(List.of("x", " ")), "search_indexes[1]", EXPRESSION),
        arguments(withIndexes(Arrays.asList("x", null)), "search_indexes[1]", EXPRESSION),
        arguments(withIndexes(List.of("x", "{{ data")), "search_indexes[1]", UNCLOSED),
        arguments(withIndexes(List.of("{%raw%}")), "search_indexes[0]", TAG),
        arguments(
            withFingerprint("{{ data }}{{ data | upcase }"), "fingerprint_expression", UNCLOSED),
        arguments(withFingerprint("{{ data }} {% if x %}"), "fingerprint_expression", TAG),
        arguments(withMask(JsonValue.of("{{ data | last4")), "mask", UNCLOSED),
        arguments(withMask(JsonValue.of("{{ }} {% include 'x' %}")), "mask", TAG),
        arguments(
            withMask(object("a", array(JsonValue.of("x"), object("b", "{% x %}{{")))),
            "mask.a[1].b",
            TAG),
        arguments(draft("{{ data | alias_preserve_length: 0, 4", "token", DATA), "id", UNCLOSED),
        arguments(draft("}} {{", "token", DATA), "id", UNCLOSED),
        arguments(withFingerprint(" \n"), "fingerprint_expression", EXPRESSION),
        arguments(expiringAt(Instant.MIN), "expires_at", "must be in the future"));
  }

  @ParameterizedTest
  @MethodSource("invalidDrafts")
  void violationIsReportedAtItsPath(TokenDraft draft, String path, String message) {
    assertThat(check(draft)).isEqualTo(Map.of(path, List.of(message)));
  }

  static Stream<TokenDraft> validDrafts() {
    return Stream.of(
        draft(null, "token", DATA),
        draft("abc", "token", JsonValue.of(false)),
        withIndexes(List.of()),
        withIndexes(Collections.nCopies(20, "{{ data }}")),
        withFingerprint("{{ metadata.customer }}"),
        withFingerprint("{{}} } }} { { {{ data | remove: '{%' }} % {"),
        withMask(object("{{", "}} { {{ }}")),
        withContainers(Collections.nCopies(20, "/pci/")),
        withMetadata(Map.of()),
        withMetadata(entries(50)),
        withMetadata(Map.of("k".repeat(100), "x".repeat(1000))),
        withMetadata(Map.of("k", "")),
        expiringAt(NOW.plusNanos(1000)),
        expiringAt(Instant.MAX));
  }

  @ParameterizedTest
  @MethodSource("validDrafts")
  void validDraftIsAccepted(TokenDraft draft) {
    assertThat(check(draft)).isEmpty();
  }

  @Test
  void violationsOfManyExpressionsAreLimited() {
    assertThat(check(withMask(new JsonArray(Collections.nCopies(10_000, JsonValue.of("{%"))))))
        .hasSize(Violations.MAX_MESSAGES + 1)
        .containsKey(Violations.WHOLE_REQUEST);
  }

  @Test
  void allViolationsAreReportedTogetherWithoutValues() {
    Map<String, String> metadata = new HashMap<>();
    metadata.put("k", "marker".repeat(500));
    metadata.put(null, null);
    TokenDraft draft =
        new TokenDraft(
            "mark er",
            "cart",
            null,
            List.of("marker"),
            metadata,
            NOW.minusSeconds(1),
            null,
            List.of("marker", ""),
            " ",
            null);

    assertThat(check(draft))
        .containsOnlyKeys(
            "id",
            "type",
            "data",
            "containers[0]",
            "metadata",
            "metadata.k",
            "expires_at",
            "search_indexes[1]",
            "fingerprint_expression");
    assertThat(check(draft).toString()).doesNotContain("mark");
  }

  @Test
  void omittedPropertiesUseDefaults() {
    TokenDraft draft = draft(null, "card_number", JsonValue.of("4242424242424242"));
    TokenDraft.Valid valid = valid(draft);

    assertThat(valid.settings())
        .isEqualTo(
            new TokenSettings(List.of(new Container("/pci/high/")), Map.of(), Optional.empty()));
    assertThat(valid.id()).isEmpty();
    assertThat(valid.expressions()).isEqualTo(TokenExpressions.none());
    assertThat(valid.draft()).isSameAs(draft);
    assertThat(draft.isDeduplicated()).isFalse();
  }

  @Test
  void specifiedPropertiesArePreserved() {
    Instant later = NOW.plusSeconds(60);
    TokenDraft draft =
        new TokenDraft(
            "card-1",
            "card_number",
            JsonValue.of("4242424242424242"),
            List.of("/B/", "/a/", "/b/"),
            Map.of("k", "v"),
            later,
            MASK,
            List.of("{{ data }}"),
            "{{ metadata.k }}",
            true);

    TokenDraft.Valid valid = valid(draft);
    TokenId id = new TokenId("card-1");

    assertThat(valid.id()).contains(id);
    assertThat(valid.type()).isEqualTo(TokenType.CARD_NUMBER);
    assertThat(valid.settings().traits(id)).isEqualTo(TokenTraits.of("card-1", "/a/", "/b/"));
    assertThat(valid.settings())
        .isEqualTo(
            new TokenSettings(
                List.of(new Container("/b/"), new Container("/a/")),
                Map.of("k", "v"),
                Optional.of(later)));
    assertThat(valid.expressions())
        .isEqualTo(
            new TokenExpressions(
                Optional.of(MASK), List.of("{{ data }}"), Optional.of("{{ metadata.k }}")));
    assertThat(draft.isDeduplicated()).isTrue();
  }

  @Test
  void nullLiteralMaskMeansNoMask() {
    assertThat(valid(withMask(JsonNull.NULL)).expressions()).isEqualTo(TokenExpressions.none());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ data | alias_preserve_length: 2, 4 }}",
        "card-{{ data }}",
        "{{data}}",
        "}} {{data}}"
      })
  void idWithExpressionIsAlias(String id) {
    TokenDraft draft = draft(id, "token", DATA);

    assertThat(draft.hasAlias()).isTrue();
    assertThat(valid(draft).id()).isEmpty();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"abc", "{abc}", "}}"})
  void idWithoutExpressionIsNotAlias(String id) {
    assertThat(draft(id, "token", DATA).hasAlias()).isFalse();
  }

  @Test
  void dataIsCheckedByItsType() {
    assertThat(check(draft(null, "card_number", JsonValue.of("4242424242424241"))))
        .containsOnlyKeys("data");
    assertThat(check(draft(null, "card_number", JsonValue.of("4242424242424242")))).isEmpty();
  }

  @Test
  void toStringOmitsData() {
    assertThat(draft("abc", "token", DATA).toString()).doesNotContain("marker");
  }

  private static Map<String, String> entries(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
  }

  private static TokenDraft draft(String id, String type, JsonValue data) {
    return new TokenDraft(id, type, data, null, null, null, null, null, null, null);
  }

  private static TokenDraft withContainers(List<String> containers) {
    return new TokenDraft(null, "token", DATA, containers, null, null, null, null, null, null);
  }

  private static TokenDraft withMetadata(Map<String, String> metadata) {
    return new TokenDraft(null, "token", DATA, null, metadata, null, null, null, null, null);
  }

  private static TokenDraft expiringAt(Instant expiresAt) {
    return new TokenDraft(null, "token", DATA, null, null, expiresAt, null, null, null, null);
  }

  private static TokenDraft withMask(JsonValue mask) {
    return new TokenDraft(null, "token", DATA, null, null, null, mask, null, null, null);
  }

  private static TokenDraft withIndexes(List<String> indexes) {
    return new TokenDraft(null, "token", DATA, null, null, null, null, indexes, null, null);
  }

  private static TokenDraft withFingerprint(String fingerprint) {
    return new TokenDraft(null, "token", DATA, null, null, null, null, null, fingerprint, null);
  }

  private static Map<String, List<String>> check(TokenDraft draft) {
    Violations violations = new Violations();
    Optional<TokenDraft.Valid> valid = draft.parse(NOW, violations);
    assertThat(valid.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }

  private static TokenDraft.Valid valid(TokenDraft draft) {
    Violations violations = new Violations();
    return violations.require(draft.parse(NOW, violations));
  }
}
