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
 * A new token as a client wrote it; any part may be null or invalid. {@link #parse} returns a valid
 * draft or all violations.
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
   * Returns the valid draft, or adds a violation for everything invalid.
   *
   * @param now by the database's clock
   * @param violations may contain violations already found elsewhere in the request
   * @return empty if there is any violation
   */
  public Optional<Valid> parse(Instant now, Violations violations) {
    check(now, violations);
    return TokenType.of(type)
        .filter(known -> violations.isEmpty())
        .map(known -> new Valid(this, known));
  }

  private void check(Instant now, Violations violations) {
    violations.checkRequired(
        "type",
        type,
        given -> TokenType.of(given).isPresent(),
        unknown -> ShownName.noneOf(TokenType.choices(), unknown));
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

  /** Returns whether the id is an alias expression, which is evaluated over the data. */
  public boolean hasAlias() {
    return id != null && id.contains("{{");
  }

  /** Returns whether an existing token of equal type and content may be returned instead. */
  public boolean isDeduplicated() {
    return Boolean.TRUE.equals(deduplicate);
  }

  /** Returns no content, because the data is secret. */
  @Override
  public String toString() {
    return "TokenDraft[redacted]";
  }

  /** A draft without violations. */
  public static final class Valid {

    private final TokenDraft draft;
    private final TokenType type;
    private final TokenSettings settings;
    private final TokenExpressions expressions;

    private Valid(TokenDraft draft, TokenType type) {
      this.draft = draft;
      this.type = type;
      this.settings =
          new TokenSettings(
              draft.containers == null
                  ? List.of(type.defaultContainer())
                  : draft.containers.stream().map(Container::new).toList(),
              draft.metadata == null ? Map.of() : draft.metadata,
              Optional.ofNullable(draft.expiresAt));
      this.expressions =
          new TokenExpressions(
              Optional.ofNullable(draft.mask).filter(given -> given != JsonNull.NULL),
              draft.searchIndexes == null ? List.of() : draft.searchIndexes,
              Optional.ofNullable(draft.fingerprintExpression));
    }

    /** Returns the draft as the client wrote it. */
    public TokenDraft draft() {
      return draft;
    }

    public TokenType type() {
      return type;
    }

    /** Returns the settings, with the type's default container if none was given. */
    public TokenSettings settings() {
      return settings;
    }

    /** Returns the expressions; those that were omitted are empty. */
    public TokenExpressions expressions() {
      return expressions;
    }

    /** Returns the id that the client chose; empty if it chose none, or an alias expression. */
    public Optional<TokenId> id() {
      return draft.hasAlias() ? Optional.empty() : Optional.ofNullable(draft.id).map(TokenId::new);
    }

    /** Returns no content, because the data is secret. */
    @Override
    public String toString() {
      return "TokenDraft.Valid[redacted]";
    }
  }
}
