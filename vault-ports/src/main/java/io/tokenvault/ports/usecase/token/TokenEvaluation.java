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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evaluates the expressions of a token over its data: mask, search indexes, fingerprint, alias and
 * the resulting views. The short-lived part of the data is never in scope.
 */
final class TokenEvaluation {

  /** The maximum size of a token's data, in bytes of JSON. */
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

  /** Returns an evaluator for all expressions of one request. */
  Evaluator evaluator() {
    return expressions.evaluator();
  }

  /** Returns the violations of a change's new expressions that do not depend on the data. */
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

  /** Returns whether the result of the expressions can depend on metadata. */
  static boolean usesMetadata(TokenExpressions expressions) {
    return expressions.fingerprint().filter(each -> each.contains(METADATA)).isPresent();
  }

  /**
   * Evaluates content that is stored, at least in part, like {@link #evaluate}. All failures of
   * expressions have an identical message, because the reason could reveal data.
   */
  Optional<Evaluated> evaluateStored(
      Evaluator evaluator,
      TokenType type,
      Map<String, String> metadata,
      TokenContent content,
      Violations violations) {
    Violations found = new Violations();
    Optional<Evaluated> evaluated = evaluate(evaluator, type, metadata, content, found);
    found.asMap().keySet().forEach(path -> violations.add(path, FAILS));
    return evaluated;
  }

  /**
   * Evaluates all expressions over a token's data, which also validates them.
   *
   * @param content whose data passed the check of its type, and whose size was checked
   * @return empty if a violation was added
   */
  Optional<Evaluated> evaluate(
      Evaluator evaluator,
      TokenType type,
      Map<String, String> metadata,
      TokenContent content,
      Violations violations) {
    JsonValue lasting = shortLived.lasting(type, content.data());
    Map<String, JsonValue> scope = Map.of(DATA, lasting);
    mask(type, lasting, content.expressions())
        .ifPresent(mask -> evaluator.render(mask, scope, MASK, violations));
    List<String> indexes =
        indexes(evaluator, content.expressions().searchIndexes(), scope, violations);
    String identity =
        content.expressions().fingerprint().orElseGet(() -> type.defaultFingerprint(lasting));
    // Most tokens have the default expression, whose output is the JSON of the data: it needs no
    // evaluation, and its size was checked with that of the data.
    Optional<String> printed =
        identity.equals(TokenType.ALL_DATA)
            ? Optional.of(new String(json.write(lasting), StandardCharsets.UTF_8))
            : evaluator.print(
                identity,
                Map.of(DATA, lasting, METADATA, object(metadata)),
                FINGERPRINT,
                violations);
    return violations.isEmpty()
        ? Optional.of(
            new Evaluated(type, content, framed(identity, printed.orElseThrow()), indexes))
        : Optional.empty();
  }

  /**
   * Frames the output with its expression. Otherwise a literal expression could give a token the
   * fingerprint of other content.
   */
  private static String framed(String expression, String printed) {
    return expression.length() + ":" + expression + printed;
  }

  /** Checks the size of data and expressions. It must precede any evaluation. */
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
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    texts.forEach((key, value) -> properties.put(key, JsonValue.of(value)));
    return new JsonObject(properties);
  }

  private static Optional<JsonValue> mask(
      TokenType type, JsonValue lasting, TokenExpressions expressions) {
    return expressions.mask().or(() -> type.defaultMask(lasting));
  }

  /** Evaluates an alias expression over the data; empty if a violation was added. */
  Optional<String> alias(
      Evaluator evaluator,
      String expression,
      TokenType type,
      JsonValue data,
      Violations violations) {
    JsonValue lasting = shortLived.lasting(type, data);
    return evaluator.alias(expression, Map.of(DATA, lasting), "id", violations);
  }

  /**
   * Returns a token as it looks under a transform. A mask is omitted if the time limit of the
   * evaluator is exceeded.
   */
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

  /** Returns the masked data; empty if there is no mask, or the time limit is exceeded. */
  Optional<JsonValue> masked(Evaluator evaluator, TokenType type, TokenContent content) {
    JsonValue lasting = shortLived.lasting(type, content.data());
    return mask(type, lasting, content.expressions())
        .flatMap(mask -> evaluator.render(mask, Map.of(DATA, lasting), MASK, new Violations()));
  }

  private SensitiveValue text(JsonValue value) {
    return SensitiveValue.of(json.write(value));
  }

  /** Content with the results of its expressions. */
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
