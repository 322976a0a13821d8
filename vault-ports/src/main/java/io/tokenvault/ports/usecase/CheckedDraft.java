package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.usecase.TokenContents.Evaluated;
import java.util.Set;

/**
 * A draft in which nothing is wrong, ready to be sealed.
 *
 * @param collisions how many of its ids were taken
 */
record CheckedDraft(
    String path,
    TokenDraft draft,
    TokenSettings settings,
    Evaluated evaluated,
    TokenId id,
    int collisions) {

  /** With another id, since that was taken. */
  CheckedDraft withId(TokenId other) {
    return new CheckedDraft(path, draft, settings, evaluated, other, collisions + 1);
  }

  TokenTraits traits() {
    return new TokenTraits(id.value(), Set.copyOf(settings.containers()));
  }

  /** Where it is in a request with several, for messages. */
  String place() {
    return path.isEmpty() ? "" : " at " + path;
  }
}
