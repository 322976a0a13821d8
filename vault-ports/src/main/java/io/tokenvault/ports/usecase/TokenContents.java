package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.MergePatch;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.Expressions;
import io.tokenvault.ports.spi.Expressions.Evaluator;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedContent;
import io.tokenvault.ports.spi.SealedContent.ShortLived;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.TokenHash;
import io.tokenvault.ports.spi.TokenHasher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Evaluates, seals and opens the secret part of tokens. */
public final class TokenContents {

  /** How large a token's data may be, in bytes of JSON. */
  public static final int MAX_DATA_SIZE = 1 << 20;

  private static final String DATA = "data";
  private static final String METADATA = "metadata";

  private final Sealer sealer;
  private final TokenHasher hasher;
  private final Expressions expressions;
  private final JsonCodec json;
  private final ShortLivedData shortLived;

  public TokenContents(
      Sealer sealer,
      TokenHasher hasher,
      Expressions expressions,
      JsonCodec json,
      ShortLivedData shortLived) {
    this.sealer = sealer;
    this.hasher = hasher;
    this.expressions = expressions;
    this.json = json;
    this.shortLived = shortLived;
  }

  /** For all that one request evaluates. */
  Evaluator evaluator() {
    return expressions.evaluator();
  }

  /**
   * Evaluates everything that is made of a token's data, and so finds out whether it can be.
   *
   * @param content whose data passed the check of its type
   * @return empty if a violation was added
   */
  Optional<Evaluated> evaluate(
      Evaluator evaluator,
      TokenType type,
      Map<String, String> metadata,
      TokenContent content,
      Violations violations) {
    checkSize(content, violations);
    if (!violations.isEmpty()) {
      return Optional.empty();
    }
    JsonValue lasting = shortLived.lasting(type, content.data());
    Map<String, JsonValue> scope = Map.of(DATA, lasting);
    mask(type, lasting, content.expressions())
        .ifPresent(mask -> evaluator.fill(mask, scope, "mask", violations));
    List<String> indexes =
        indexes(evaluator, content.expressions().searchIndexes(), scope, violations);
    String identity =
        content.expressions().fingerprint().orElseGet(() -> type.defaultFingerprint(lasting));
    Optional<String> fingerprint =
        evaluator
            .print(
                identity,
                Map.of(DATA, lasting, METADATA, object(metadata)),
                "fingerprint_expression",
                violations)
            .map(printed -> framed(identity, printed));
    return violations.isEmpty()
        ? Optional.of(new Evaluated(type, content, fingerprint.orElseThrow(), indexes))
        : Optional.empty();
  }

  /** Else anybody could give a token the fingerprint of other content, by a literal expression. */
  private static String framed(String expression, String printed) {
    return expression.length() + ":" + expression + printed;
  }

  /** Whether a change leaves the part that goes before its token as it is. */
  boolean keepsShortLived(TokenType type, JsonValue before, JsonValue after) {
    return shortLived.isSame(type, before, after);
  }

  private void checkSize(TokenContent content, Violations violations) {
    if (json.write(content.data()).length > MAX_DATA_SIZE) {
      violations.add(DATA, "must be at most " + MAX_DATA_SIZE + " bytes as JSON");
    }
    if (json.write(content.expressions().toJson()).length > MAX_DATA_SIZE) {
      violations.add("mask", "and all other expressions must be at most 1 MiB as JSON");
    }
  }

  private static List<String> indexes(
      Evaluator evaluator,
      List<String> templates,
      Map<String, JsonValue> scope,
      Violations violations) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < templates.size(); i++) {
      evaluator
          .print(templates.get(i), scope, "search_indexes[" + i + "]", violations)
          .ifPresent(values::add);
    }
    return values;
  }

  private static JsonObject object(Map<String, String> texts) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    texts.forEach((key, value) -> members.put(key, JsonValue.of(value)));
    return new JsonObject(members);
  }

  private static Optional<JsonValue> mask(
      TokenType type, JsonValue lasting, TokenExpressions expressions) {
    return expressions.mask().or(() -> type.defaultMask(lasting));
  }

  /** An id made of the data; empty if a violation was added. */
  Optional<String> alias(
      Evaluator evaluator,
      String expression,
      TokenType type,
      JsonValue data,
      Violations violations) {
    JsonValue lasting = shortLived.lasting(type, data);
    return evaluator.alias(expression, Map.of(DATA, lasting), "id", violations);
  }

  /** A token as it looks under a transform. */
  TokenView view(Token token, TokenContent content, AccessTransform transform) {
    return view(evaluator(), token, content, transform);
  }

  /** The same for one of several. A mask that there is no time left for is left out. */
  TokenView view(
      Evaluator evaluator, Token token, TokenContent content, AccessTransform transform) {
    return switch (transform) {
      case REDACT -> TokenView.redacted(token);
      case MASK ->
          new TokenView(
              token,
              masked(evaluator, token.type(), content).map(this::text),
              Optional.empty(),
              false);
      case REVEAL ->
          new TokenView(
              token, Optional.of(text(content.data())), Optional.of(content.expressions()), false);
    };
  }

  private Optional<JsonValue> masked(Evaluator evaluator, TokenType type, TokenContent content) {
    JsonValue lasting = shortLived.lasting(type, content.data());
    return mask(type, lasting, content.expressions())
        .flatMap(mask -> evaluator.fill(mask, Map.of(DATA, lasting), "mask", new Violations()));
  }

  /** JSON in UTF-8. */
  SensitiveValue text(JsonValue value) {
    return SensitiveValue.of(json.write(value));
  }

  SealedContent seal(TenantKeys keys, TokenId id, Evaluated evaluated) {
    TokenType type = evaluated.type();
    TokenContent content = evaluated.content();
    return new SealedContent(
        seal(
            keys,
            SealedField.tokenData(keys.tenantId(), id),
            shortLived.lasting(type, content.data())),
        shortLived.part(type, content.data()).map(part -> sealShortLived(keys, id, part)),
        sealExpressions(keys, id, content.expressions()),
        hasher.fingerprint(keys, type, evaluated.fingerprint()),
        evaluated.searchIndexes().stream()
            .map(value -> hasher.searchIndex(keys, value))
            .distinct()
            .toList());
  }

  private ShortLived sealShortLived(TenantKeys keys, TokenId id, JsonObject part) {
    SealedField field = SealedField.tokenShortLivedData(keys.tenantId(), id);
    return new ShortLived(seal(keys, field, part), shortLived.cvcLifetime().orElseThrow());
  }

  private Optional<Sealed> sealExpressions(
      TenantKeys keys, TokenId id, TokenExpressions expressions) {
    return expressions.isEmpty()
        ? Optional.empty()
        : Optional.of(
            seal(keys, SealedField.tokenExpressions(keys.tenantId(), id), expressions.toJson()));
  }

  private Sealed seal(TenantKeys keys, SealedField field, JsonValue value) {
    return sealer.seal(keys, field, text(value));
  }

  /** Under every version of the tenant's key. */
  List<TokenHash> fingerprints(TenantKeys keys, Evaluated evaluated) {
    return hasher.fingerprints(keys, evaluated.type(), evaluated.fingerprint());
  }

  /** Only for {@link OpenTokens}. */
  TokenContent open(TenantKeys keys, StoredToken stored) {
    Token token = stored.token();
    SealedField field = SealedField.tokenExpressions(token.tenantId(), token.id());
    return new TokenContent(
        read(openData(keys, stored)),
        stored
            .expressions()
            .map(ciphertext -> TokenExpressions.of(read(sealer.open(keys, field, ciphertext))))
            .orElseGet(TokenExpressions::none));
  }

  /** Only for {@link OpenTokens}: the null literal for what may not be seen. */
  JsonValue shown(
      Evaluator evaluator, TenantKeys keys, StoredToken stored, AccessTransform transform) {
    return switch (transform) {
      case REDACT -> JsonNull.NULL;
      case MASK ->
          masked(evaluator, stored.token().type(), open(keys, stored)).orElse(JsonNull.NULL);
      case REVEAL -> read(openData(keys, stored));
    };
  }

  /** Only for {@link OpenTokens}: JSON in UTF-8. */
  SensitiveValue openData(TenantKeys keys, StoredToken stored) {
    Token token = stored.token();
    SensitiveValue lasting =
        sealer.open(keys, SealedField.tokenData(token.tenantId(), token.id()), stored.data());
    return stored
        .shortLived()
        .map(
            part ->
                sealer.open(
                    keys, SealedField.tokenShortLivedData(token.tenantId(), token.id()), part))
        .map(part -> text(MergePatch.apply(read(lasting), read(part))))
        .orElse(lasting);
  }

  private JsonValue read(SensitiveValue text) {
    return json.read(text.open());
  }

  /** Content, and what it was evaluated to. */
  record Evaluated(
      TokenType type, TokenContent content, String fingerprint, List<String> searchIndexes) {
    Evaluated {
      searchIndexes = List.copyOf(searchIndexes);
    }

    @Override
    public String toString() {
      return "Evaluated[redacted]";
    }
  }
}
