package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A new token as a client wrote it; any part may be null or invalid. Call {@link #check} before the
 * methods that convert it.
 *
 * @param id null for a generated id; can be an alias expression over the data
 * @param type the name of a {@link TokenType}
 * @param data the data that the token stands for
 * @param containers null for the type's default
 * @param metadata null for none
 * @param expiresAt null for never
 * @param mask null, or the null literal, for the type's default
 * @param searchIndexes null for none
 * @param fingerprintExpression null for the type's default
 * @param deduplicate whether to return an existing token of equal type and content instead; null
 *     for no
 */
public record TokenDraft(
    String id,
    String type,
    JsonValue data,
    List<String> containers,
    Map<String, String> metadata,
    Instant expiresAt,
    JsonValue mask,
    List<String> searchIndexes,
    String fingerprintExpression,
    Boolean deduplicate) {

  /**
   * Adds a violation for everything invalid.
   *
   * @param now by the database's clock
   */
  public void check(Instant now, Violations violations) {
    checkType(violations);
    if (id != null && !hasAlias() && TokenId.parseNew(id).isEmpty()) {
      violations.add("id", TokenId.SHAPE);
    }
    if (hasAlias()) {
      ExpressionFields.check(id, "id", violations);
    }
    if (data == null || data == JsonNull.NULL) {
      violations.add("data", "is required and cannot be null");
    } else {
      TokenType.of(type).ifPresent(known -> known.check(data, violations));
    }
    if (containers != null) {
      TokenLimits.checkContainers(containers, violations);
    }
    if (metadata != null) {
      TokenLimits.checkMetadata(metadata, violations);
    }
    if (expiresAt != null) {
      TokenLimits.checkExpiry(expiresAt, now, violations);
    }
    if (mask != null) {
      ExpressionFields.check(mask, "mask", violations);
    }
    if (searchIndexes != null) {
      TokenLimits.checkSearchIndexes(searchIndexes, violations);
    }
    if (fingerprintExpression != null) {
      TokenLimits.checkFingerprint(fingerprintExpression, violations);
    }
  }

  private void checkType(Violations violations) {
    if (type == null) {
      violations.add("type", "is required");
    } else if (TokenType.of(type).isEmpty()) {
      violations.add("type", ShownName.noneOf(TokenType.choices(), type));
    }
  }

  /** Returns whether the id is an alias expression, which is evaluated over the data. */
  public boolean hasAlias() {
    return id != null && id.contains("{{");
  }

  /** Returns whether an existing token of equal type and content may be returned instead. */
  public boolean isDeduplicated() {
    return Boolean.TRUE.equals(deduplicate);
  }

  /** Returns the id of a valid draft without an alias; a random one if it was omitted. */
  public TokenId toId() {
    return id == null ? TokenId.random() : new TokenId(id);
  }

  /** Returns the type of a valid draft. */
  public TokenType knownType() {
    return TokenType.of(type).orElseThrow();
  }

  /** Returns the settings of a valid draft, with the type's default container if none was given. */
  public TokenSettings toSettings() {
    return new TokenSettings(
        containers == null
            ? List.of(knownType().defaultContainer())
            : containers.stream().map(Container::new).toList(),
        metadata == null ? Map.of() : metadata,
        Optional.ofNullable(expiresAt));
  }

  /** Returns the expressions of the draft; those that were omitted stay empty. */
  public TokenExpressions toExpressions() {
    return new TokenExpressions(
        Optional.ofNullable(mask).filter(given -> given != JsonNull.NULL),
        searchIndexes == null ? List.of() : searchIndexes,
        Optional.ofNullable(fingerprintExpression));
  }

  /** Returns no content, because the data is secret. */
  @Override
  public String toString() {
    return "TokenDraft[redacted]";
  }
}
