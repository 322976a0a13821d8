package io.tokenvault.ports.store.document;

import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenQuery.AllOf;
import io.tokenvault.domain.token.TokenQuery.AnyOf;
import io.tokenvault.domain.token.TokenQuery.FingerprintIs;
import io.tokenvault.domain.token.TokenQuery.IndexIn;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A token as it is stored.
 *
 * @param shortLived the part of the data that expires first, even after its expiry
 * @param partExpiresAt the expiry of that part; empty if there is none
 * @param searchIndexes hashes in hexadecimal
 */
record TokenRecord(
    Token token,
    EncryptedValue data,
    Optional<EncryptedValue> shortLived,
    Optional<Instant> partExpiresAt,
    Optional<EncryptedValue> expressions,
    List<String> searchIndexes) {

  static TokenRecord of(Token token, EncryptedContent content, Instant now) {
    return new TokenRecord(
        token,
        content.data(),
        content.shortLived().map(EncryptedContent.ShortLived::encrypted),
        content.shortLived().map(part -> now.plus(part.lifetime())),
        content.expressions(),
        content.searchIndexes().stream().map(TokenHash::hex).toList());
  }

  /** Returns when the token, or a part of it, expires. */
  Optional<Instant> due() {
    return Stream.of(token.settings().expiresAt(), partExpiresAt)
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  Set<String> terms() {
    return Stream.concat(
            token.fingerprint().map(TokenRecord::fingerprintTerm).stream(),
            searchIndexes.stream().map(TokenRecord::indexTerm))
        .collect(Collectors.toSet());
  }

  static String fingerprintTerm(String fingerprint) {
    return "fingerprint " + fingerprint;
  }

  private static String indexTerm(String hash) {
    return "index " + hash;
  }

  /** Returns terms of which every token that matches the query has one; empty if it has none. */
  static Optional<Set<String>> terms(TokenQuery query) {
    if (query instanceof FingerprintIs is) {
      return Optional.of(Set.of(fingerprintTerm(is.fingerprint())));
    }
    if (query instanceof IndexIn in) {
      return Optional.of(
          in.hashes().stream().map(TokenRecord::indexTerm).collect(Collectors.toSet()));
    }
    if (query instanceof AllOf all) {
      return all.queries().stream().map(TokenRecord::terms).flatMap(Optional::stream).findFirst();
    }
    if (query instanceof AnyOf any) {
      Set<String> terms = new HashSet<>();
      boolean complete =
          any.queries().stream()
              .map(TokenRecord::terms)
              .allMatch(each -> each.map(some -> terms.addAll(some) || true).orElse(false));
      return complete ? Optional.of(terms) : Optional.empty();
    }
    return Optional.empty();
  }

  StoredToken stored() {
    return new StoredToken(token, data, shortLived, expressions);
  }

  TokenRecord with(Token changed) {
    return new TokenRecord(changed, data, shortLived, partExpiresAt, expressions, searchIndexes);
  }

  TokenRecord withoutPart() {
    return new TokenRecord(
        token, data, Optional.empty(), Optional.empty(), expressions, searchIndexes);
  }

  /** Returns this token with the expiry of another one's part; expired if that has no part. */
  TokenRecord withTimeOf(TokenRecord other, Instant now) {
    return new TokenRecord(
        token,
        data,
        shortLived,
        partExpiresAt.map(unused -> other.partExpiresAt.orElse(now)),
        expressions,
        searchIndexes);
  }
}
