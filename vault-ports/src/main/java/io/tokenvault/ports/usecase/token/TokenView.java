package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenExpressions;
import java.util.Optional;

/**
 * A token as one caller may see it.
 *
 * @param data JSON in UTF-8, revealed or masked; empty if the caller may not see it
 * @param expressions empty unless the data is revealed
 * @param isSummary whether the caller may see only id, type, fingerprint and containers
 */
public record TokenView(
    Token token,
    Optional<SensitiveValue> data,
    Optional<TokenExpressions> expressions,
    boolean isSummary) {
  /** Returns a view without data. */
  static TokenView redacted(Token token) {
    return new TokenView(token, Optional.empty(), Optional.empty(), false);
  }

  /** Returns a view of id, type, fingerprint and containers only. */
  static TokenView summary(Token token) {
    return new TokenView(token, Optional.empty(), Optional.empty(), true);
  }

  /** Returns the transform that the view corresponds to. */
  public AccessTransform shown() {
    if (data.isEmpty()) {
      return AccessTransform.REDACT;
    }
    return expressions.isPresent() ? AccessTransform.REVEAL : AccessTransform.MASK;
  }
}
