package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.MergePatch;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Encrypts and decrypts the secret part of tokens. Only {@link TokenDecryptor} may call the methods
 * that decrypt.
 */
public final class TokenContents {

  private final FieldCipher cipher;
  private final TokenHasher hasher;
  private final JsonCodec json;
  private final ShortLivedData shortLived;
  private final TokenEvaluation evaluation;

  public TokenContents(
      FieldCipher cipher,
      TokenHasher hasher,
      Expressions expressions,
      JsonCodec json,
      ShortLivedData shortLived) {
    this.cipher = cipher;
    this.hasher = hasher;
    this.json = json;
    this.shortLived = shortLived;
    this.evaluation = new TokenEvaluation(expressions, json, shortLived);
  }

  /** Returns the evaluation of expressions over content. */
  TokenEvaluation evaluation() {
    return evaluation;
  }

  /** Returns whether a change leaves the short-lived part unchanged. */
  boolean keepsShortLived(TokenType type, JsonValue before, JsonValue after) {
    return shortLived.isSame(type, before, after);
  }

  EncryptedContent encrypt(TenantKeys keys, TokenId id, Evaluated evaluated) {
    TokenType type = evaluated.type();
    TokenContent content = evaluated.content();
    return new EncryptedContent(
        encrypt(
            keys,
            FieldBinding.tokenData(keys.tenantId(), id),
            shortLived.lasting(type, content.data())),
        shortLived.part(type, content.data()).map(part -> encryptShortLived(keys, id, part)),
        encryptExpressions(keys, id, content.expressions()),
        hasher.fingerprint(keys, type, evaluated.fingerprint()),
        evaluated.searchIndexes().stream()
            .map(value -> hasher.searchIndex(keys, value))
            .distinct()
            .toList());
  }

  private ShortLived encryptShortLived(TenantKeys keys, TokenId id, JsonObject part) {
    FieldBinding field = FieldBinding.tokenShortLivedData(keys.tenantId(), id);
    return new ShortLived(encrypt(keys, field, part), shortLived.cvcLifetime().orElseThrow());
  }

  private Optional<EncryptedValue> encryptExpressions(
      TenantKeys keys, TokenId id, TokenExpressions expressions) {
    return expressions.isEmpty()
        ? Optional.empty()
        : Optional.of(
            encrypt(
                keys, FieldBinding.tokenExpressions(keys.tenantId(), id), expressions.toJson()));
  }

  private EncryptedValue encrypt(TenantKeys keys, FieldBinding field, JsonValue value) {
    return cipher.encrypt(keys, field, text(value));
  }

  /** Returns the fingerprints of this content under every version of the tenant's key. */
  Set<String> fingerprints(TenantKeys keys, Evaluated evaluated) {
    return hasher.fingerprints(keys, evaluated.type(), evaluated.fingerprint()).stream()
        .map(TokenHash::hex)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns a keyed hash for the audit log of a string that can contain data. */
  public String hashed(TenantKeys keys, String text) {
    return hasher.requests(keys, text).get(0).hex();
  }

  /**
   * Decrypts data and expressions. Only for {@link TokenDecryptor}.
   *
   * @param reservation reserves memory for the JSON values
   */
  TokenContent decrypt(TenantKeys keys, StoredToken stored, MemoryReservation reservation) {
    Token token = stored.token();
    FieldBinding field = FieldBinding.tokenExpressions(token.tenantId(), token.id());
    return new TokenContent(
        read(decryptData(keys, stored, reservation), reservation),
        stored
            .expressions()
            .map(text -> TokenExpressions.of(read(cipher.decrypt(keys, field, text), reservation)))
            .orElseGet(TokenExpressions::none));
  }

  /**
   * Decrypts the data that a transform shows; the null literal if it shows none. Only for {@link
   * TokenDecryptor}.
   */
  JsonValue shown(
      Evaluator evaluator,
      TenantKeys keys,
      StoredToken stored,
      AccessTransform transform,
      MemoryReservation reservation) {
    return switch (transform) {
      case REDACT -> JsonNull.NULL;
      case MASK ->
          evaluation
              .masked(evaluator, stored.token().type(), decrypt(keys, stored, reservation))
              .orElse(JsonNull.NULL);
      case REVEAL -> read(decryptData(keys, stored, reservation), reservation);
    };
  }

  /** Decrypts the data as JSON in UTF-8. Only for {@link TokenDecryptor}. */
  SensitiveValue decryptData(TenantKeys keys, StoredToken stored, MemoryReservation reservation) {
    Token token = stored.token();
    SensitiveValue lasting =
        cipher.decrypt(keys, FieldBinding.tokenData(token.tenantId(), token.id()), stored.data());
    return stored
        .shortLived()
        .map(
            part ->
                cipher.decrypt(
                    keys, FieldBinding.tokenShortLivedData(token.tenantId(), token.id()), part))
        .map(part -> text(MergePatch.apply(read(lasting, reservation), read(part, reservation))))
        .orElse(lasting);
  }

  /** Returns the JSON of a value in UTF-8. */
  private SensitiveValue text(JsonValue value) {
    return SensitiveValue.of(json.write(value));
  }

  private JsonValue read(SensitiveValue text, MemoryReservation reservation) {
    byte[] bytes = text.open();
    reservation.take(MemoryBudget.costOfValues(bytes));
    return json.read(bytes);
  }
}
