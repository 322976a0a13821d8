package io.tokenvault.ports.memory;

import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A token as it is kept.
 *
 * @param stored with the short-lived part, even after its time
 * @param searchIndexes hexadecimal
 * @param partExpiresAt when the short-lived part goes; empty if there is none
 */
record KeptToken(StoredToken stored, Set<String> searchIndexes, Optional<Instant> partExpiresAt) {

  static KeptToken of(Token token, EncryptedContent content, Instant now) {
    return new KeptToken(
        new StoredToken(
            token,
            content.data(),
            content.shortLived().map(EncryptedContent.ShortLived::sealed),
            content.expressions()),
        content.searchIndexes().stream()
            .map(TokenHash::hex)
            .collect(Collectors.toUnmodifiableSet()),
        content.shortLived().map(part -> now.plus(part.lifetime())));
  }

  /** The same, with the time of another's short-lived part; over if that has none. */
  KeptToken withTimeOf(KeptToken other, Instant now) {
    return new KeptToken(
        stored, searchIndexes, partExpiresAt.map(unused -> other.partExpiresAt.orElse(now)));
  }

  Token token() {
    return stored.token();
  }

  KeptToken with(Token token) {
    return new KeptToken(
        new StoredToken(token, stored.data(), stored.shortLived(), stored.expressions()),
        searchIndexes,
        partExpiresAt);
  }

  KeptToken withoutPart() {
    return new KeptToken(
        new StoredToken(stored.token(), stored.data(), Optional.empty(), stored.expressions()),
        searchIndexes,
        Optional.empty());
  }
}
