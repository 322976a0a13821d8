package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.JsonCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes of a token's content what its expressions say: mask, indexes, fingerprint, alias, view. */
final class TokenEvaluation {

  /** How large a token's data may be, in bytes of JSON. */
  static final int MAX_DATA_SIZE = 1 << 20;

  private static final String DATA = "data";
  private static final String METADATA = "metadata";
  private static final String MASK = "mask";
  private static final String FINGERPRINT = "fingerprint_expression";
  private static final String FAILS = "cannot be evaluated on the data of this token";

  private final Expressions expressions;
  private final JsonCodec json;
  private final ShortLivedData shortLived;

  TokenEvaluation(Expressions expressions, JsonCodec json, ShortLivedData shortLived) {
    this.expressions = expressions;
    this.json = json;
    this.shortLived = shortLived;
  }

  /** For all that one request evaluates. */
  Evaluator evaluator() {
    return expressions.evaluator();
  }

  /** What is wrong with the new expressions of a change, whatever the data. */
  Violations check(Evaluator evaluator, TokenPatch patch) {
    Violations violations = new Violations();
    patch.mask().given().ifPresent(mask -> evaluator.check(mask, MASK, violations));
    List<String> indexes = patch.searchIndexes().given().orElse(List.of());
    for (int i = 0; i < indexes.size(); i++) {
      evaluator.check(JsonValue.of(indexes.get(i)), index(i), violations);
    }
    patch
        .fingerprintExpression()
        .given()
        .ifPresent(each -> evaluator.check(JsonValue.of(each), FINGERPRINT, violations));
    return violations;
  }

  /** Whether what the expressions give may depend on metadata. */
  static boolean usesMetadata(TokenExpressions expressions) {
    return expressions.fingerprint().filter(each -> each.contains(METADATA)).isPresent();
  }

  /**
   * Evaluates content that is stored, or stored in part, like {@link #evaluate}. Expressions that
   * fail have one message, whatever the reason: that could tell of the data.
   */
  Optional<Evaluated> evaluateStored(
      Evaluator evaluator,
      TokenType type,
      Map<String, String> metadata,
      TokenContent content,
      Violations violations) {
    checkSize(content, violations);
    if (!violations.isEmpty()) {
      return Optional.empty();
    }
    Violations found = new Violations();
    Optional<Evaluated> evaluated = evaluateSized(evaluator, type, metadata, content, found);
    found.asMap().keySet().forEach(path -> violations.add(path, FAILS));
    return evaluated;
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
    return violations.isEmpty()
        ? evaluateSized(evaluator, type, metadata, content, violations)
        : Optional.empty();
  }

  /** The same for content whose size was checked. */
  Optional<Evaluated> evaluateSized(
      Evaluator evaluator,
      TokenType type,
      Map<String, String> metadata,
      TokenContent content,
      Violations violations) {
    JsonValue lasting = shortLived.lasting(type, content.data());
    Map<String, JsonValue> scope = Map.of(DATA, lasting);
    mask(type, lasting, content.expressions())
        .ifPresent(mask -> evaluator.fill(mask, scope, MASK, violations));
    List<String> indexes =
        indexes(evaluator, content.expressions().searchIndexes(), scope, violations);
    String identity =
        content.expressions().fingerprint().orElseGet(() -> type.defaultFingerprint(lasting));
    Optional<String> fingerprint =
        evaluator
            .print(
                identity,
                Map.of(DATA, lasting, METADATA, object(metadata)),
                FINGERPRINT,
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

  /** Has to come before anything is evaluated. */
  void checkSize(TokenContent content, Violations violations) {
    if (json.write(content.data()).length > MAX_DATA_SIZE) {
      violations.add(DATA, "must be at most " + MAX_DATA_SIZE + " bytes as JSON");
    }
    if (json.write(content.expressions().toJson()).length > MAX_DATA_SIZE) {
      violations.add(MASK, "and all other expressions must be at most 1 MiB as JSON");
    }
  }

  private static List<String> indexes(
      Evaluator evaluator,
      List<String> templates,
      Map<String, JsonValue> scope,
      Violations violations) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < templates.size(); i++) {
      evaluator.print(templates.get(i), scope, index(i), violations).ifPresent(values::add);
    }
    return values;
  }

  private static String index(int i) {
    return "search_indexes[" + i + "]";
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

  /** A token as it looks under a transform. A mask that there is no time left for is left out. */
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

  /** Empty if there is no mask, or no time left for it. */
  Optional<JsonValue> masked(Evaluator evaluator, TokenType type, TokenContent content) {
    JsonValue lasting = shortLived.lasting(type, content.data());
    return mask(type, lasting, content.expressions())
        .flatMap(mask -> evaluator.fill(mask, Map.of(DATA, lasting), MASK, new Violations()));
  }

  private SensitiveValue text(JsonValue value) {
    return SensitiveValue.of(json.write(value));
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
