package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;

/**
 * A validated draft that is ready to be encrypted.
 *
 * @param collisions the number of generated ids that were taken
 */
record CheckedDraft(
    TokenDraftItem placed,
    TokenSettings settings,
    Evaluated evaluated,
    TokenId id,
    int collisions) {

  /** Returns a copy with another id, because the previous one was taken. */
  CheckedDraft withId(TokenId other) {
    return new CheckedDraft(placed, settings, evaluated, other, collisions + 1);
  }

  TokenDraft draft() {
    return placed.draft();
  }
}
