package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;

/**
 * A draft in which nothing is wrong, ready to be sealed.
 *
 * @param collisions how many of its ids were taken
 */
record CheckedDraft(
    TokenDraftItem placed,
    TokenSettings settings,
    Evaluated evaluated,
    TokenId id,
    int collisions) {

  /** With another id, since that was taken. */
  CheckedDraft withId(TokenId other) {
    return new CheckedDraft(placed, settings, evaluated, other, collisions + 1);
  }

  TokenDraft draft() {
    return placed.draft();
  }
}
