package example.vault;

import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A token as it is kept.
 *
 * @param shortLived the part of the data that goes first, even after its time
 * @param partExpiresAt when that goes; empty if there is none
 * @param searchIndexes hexadecimal
 */
record KeptToken(
    Token token,
    EncryptedValue data,
    Optional<EncryptedValue> shortLived,
    Optional<Instant> partExpiresAt,
    Optional<EncryptedValue> expressions,
    List<String> searchIndexes) {

  static KeptToken of(Token token, EncryptedContent content, Instant now) {
    return new KeptToken(
        token,
        content.data(),
        content.shortLived().map(EncryptedContent.ShortLived::sealed),
        content.shortLived().map(part -> now.plus(part.lifetime())),
        content.expressions(),
        content.searchIndexes().stream().map(TokenHash::hex).toList());
  }

  /** When the token, or a part of it, goes. */
  Optional<Instant> due() {
    return Stream.of(token.settings().expiresAt(), partExpiresAt)
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  StoredToken stored() {
    return new StoredToken(token, data, shortLived, expressions);
  }

  KeptToken with(Token changed) {
    return new KeptToken(changed, data, shortLived, partExpiresAt, expressions, searchIndexes);
  }

  KeptToken withoutPart() {
    return new KeptToken(
        token, data, Optional.empty(), Optional.empty(), expressions, searchIndexes);
  }

  /** Returns this token with the expiry of another token's cvc; expired if that has none. */
  KeptToken withTimeOf(KeptToken other, Instant now) {
    return new KeptToken(
        token,
        data,
        shortLived,
        partExpiresAt.map(unused -> other.partExpiresAt.orElse(now)),
        expressions,
        searchIndexes);
  }

  /** Returns this token with re-encrypted fields. */
  KeptToken with(
      EncryptedValue newData,
      Optional<EncryptedValue> newPart,
      Optional<EncryptedValue> newExpressions) {
    return new KeptToken(token, newData, newPart, partExpiresAt, newExpressions, searchIndexes);
  }
}
