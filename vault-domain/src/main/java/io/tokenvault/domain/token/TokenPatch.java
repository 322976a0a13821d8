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
 * An update of a token as a client wrote it. {@code data}, {@code mask} and {@code metadata} are
 * merged (RFC 7386); other properties are replaced. {@link #parse} returns a valid patch or all
 * violations.
 *
 * @param metadata changed entries by key; an empty value removes the entry
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
   * Returns the valid patch, or adds a violation for everything that is invalid for any token.
   *
   * @param now by the database's clock
   * @param violations may contain violations already found elsewhere in the request
   * @return empty if there is any violation
   */
  public Optional<Valid> parse(Instant now, Violations violations) {
    check(now, violations);
    return violations.ifNone(() -> new Valid(this));
  }

  private void check(Instant now, Violations violations) {
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

  /** Returns whether data, or a value derived from it, changes. */
  public boolean changesContent() {
    return !data.isKeep() || changesExpressions();
  }

  /** Returns whether the client changes which parts of the data become visible or comparable. */
  public boolean changesExpressions() {
    return !mask.isKeep() || !searchIndexes.isKeep() || !fingerprintExpression.isKeep();
  }

  /** Returns whether the containers change. */
  public boolean movesToken() {
    return !containers.isKeep();
  }

  /** Returns whether any part of the old data remains after the update. */
  public boolean keepsSomeOf(JsonValue old) {
    return data.given().map(change -> MergePatch.keepsSome(old, change)).orElse(true);
  }

  /**
   * Returns whether some data can remain, without knowing it. Only a value that is not an object
   * certainly replaces all data.
   */
  public boolean mayKeepData() {
    return data.given().map(JsonObject.class::isInstance).orElse(true);
  }

  /** Returns the data after the update. */
  public JsonValue applyToData(JsonValue old) {
    return data.given().map(change -> MergePatch.apply(old, change)).orElse(old);
  }

  /** Returns the expressions after the update. */
  public TokenExpressions applyTo(TokenExpressions old) {
    return new TokenExpressions(
        mask.map(change -> MergePatch.apply(old.mask().orElse(JsonNull.NULL), change))
            .apply(old.mask()),
        searchIndexes.apply(Optional.of(old.searchIndexes())).orElse(List.of()),
        fingerprintExpression.apply(old.fingerprint()));
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

  /** Returns no content, because data and expressions are secret. */
  @Override
  public String toString() {
    return "TokenPatch[redacted]";
  }

  /** A patch without violations. */
  public static final class Valid {

    private final TokenPatch patch;
    private final Change<List<Container>> containers;

    private Valid(TokenPatch patch) {
      this.patch = patch;
      this.containers = patch.containers.map(each -> each.stream().map(Container::new).toList());
    }

    /** Returns the patch as the client wrote it. */
    public TokenPatch patch() {
      return patch;
    }

    /**
     * Returns the settings after the update.
     *
     * @param violations receives violations of the merged metadata
     */
    public TokenSettings applyTo(TokenType type, TokenSettings old, Violations violations) {
      Map<String, String> merged = patch.merge(old.metadata());
      TokenLimits.checkMetadata(merged, violations);
      return new TokenSettings(
          containers.apply(Optional.of(old.containers())).orElse(List.of(type.defaultContainer())),
          merged,
          patch.expiresAt.apply(old.expiresAt()));
    }

    /** Returns no content, because data and expressions are secret. */
    @Override
    public String toString() {
      return "TokenPatch.Valid[redacted]";
    }
  }
}
