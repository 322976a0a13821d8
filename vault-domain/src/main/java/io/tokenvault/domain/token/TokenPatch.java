package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.MergePatch;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of a token as a client wrote it. {@code data}, {@code mask} and {@code metadata} are
 * merged (RFC 7386), the other properties replace what was.
 *
 * @param metadata entries by key; one without a value goes
 */
public record TokenPatch(
    Change<JsonValue> data,
    Change<JsonValue> mask,
    Change<Map<String, Optional<String>>> metadata,
    Change<List<String>> containers,
    Change<Instant> expiresAt,
    Change<List<String>> searchIndexes,
    Change<String> fingerprintExpression) {

  public TokenPatch {
    data = resetByNull(data);
    mask = resetByNull(mask);
  }

  private static Change<JsonValue> resetByNull(Change<JsonValue> change) {
    return change.given().filter(value -> value == JsonNull.NULL).isPresent()
        ? new Change.Reset<>()
        : change;
  }

  /**
   * Notes everything that is wrong, whatever the token.
   *
   * @param now by the database's clock
   */
  public void check(Instant now, Violations violations) {
    if (data instanceof Change.Reset) {
      violations.add("data", "cannot be null");
    }
    containers.given().ifPresent(paths -> TokenLimits.checkContainers(paths, violations));
    expiresAt.given().ifPresent(time -> TokenLimits.checkExpiry(time, now, violations));
    mask.given().ifPresent(value -> ExpressionFields.check(value, "mask", violations));
    searchIndexes.given().ifPresent(each -> TokenLimits.checkSearchIndexes(each, violations));
    fingerprintExpression
        .given()
        .ifPresent(expression -> TokenLimits.checkFingerprint(expression, violations));
  }

  /** Whether data, or what is made of it, changes. */
  public boolean changesContent() {
    return !data.isKeep() || changesExpressions();
  }

  /** Whether the caller gets to say what becomes visible or comparable of the data. */
  public boolean changesExpressions() {
    return !mask.isKeep() || !searchIndexes.isKeep() || !fingerprintExpression.isKeep();
  }

  public boolean movesToken() {
    return !containers.isKeep();
  }

  /** Whether anything of the old data is still there afterwards. */
  public boolean keepsSomeOf(JsonValue old) {
    return data.given().map(change -> MergePatch.keepsSome(old, change)).orElse(true);
  }

  /** The same without knowing it: only a change to something that is no object keeps nothing. */
  public boolean mayKeepData() {
    return data.given().map(JsonObject.class::isInstance).orElse(true);
  }

  /** The data afterwards. */
  public JsonValue applyToData(JsonValue old) {
    return data.given().map(change -> MergePatch.apply(old, change)).orElse(old);
  }

  /** The expressions afterwards. */
  public TokenExpressions applyTo(TokenExpressions old) {
    return new TokenExpressions(
        mask.map(change -> MergePatch.apply(old.mask().orElse(JsonNull.NULL), change))
            .apply(old.mask()),
        searchIndexes.apply(Optional.of(old.searchIndexes())).orElse(List.of()),
        fingerprintExpression.apply(old.fingerprint()));
  }

  /** The settings afterwards; for a patch that was checked. */
  public TokenSettings applyTo(TokenType type, TokenSettings old, Violations violations) {
    Map<String, String> merged = merge(old.metadata());
    TokenLimits.checkMetadata(merged, violations);
    return new TokenSettings(
        containers
            .map(paths -> paths.stream().map(Container::new).toList())
            .apply(Optional.of(old.containers()))
            .orElse(List.of(type.defaultContainer())),
        merged,
        expiresAt.apply(old.expiresAt()));
  }

  private Map<String, String> merge(Map<String, String> old) {
    Map<String, String> merged =
        new LinkedHashMap<>(metadata instanceof Change.Reset ? Map.of() : old);
    metadata.given().ifPresent(entries -> entries.forEach((key, value) -> put(merged, key, value)));
    return merged;
  }

  private static void put(Map<String, String> map, String key, Optional<String> value) {
    value.ifPresentOrElse(text -> map.put(key, text), () -> map.remove(key));
  }

  /** Nothing: data and expressions are secret. */
  @Override
  public String toString() {
    return "TokenPatch[redacted]";
  }
}
