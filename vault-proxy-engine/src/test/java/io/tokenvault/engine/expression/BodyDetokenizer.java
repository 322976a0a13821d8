package io.tokenvault.engine.expression;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.filter.TextValues;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Replaces the expressions in bodies with token data, for tests. */
public final class BodyDetokenizer {

  private BodyDetokenizer() {}

  /** Returns the detokenized body; the body itself if it contains no expression. */
  static byte[] detokenize(String contentType, byte[] body, Map<String, String> tokens) {
    return TextualBody.of(contentType)
        .flatMap(kind -> kind.read(body, bytes -> {}))
        .map(template -> template.render(values(tokens)))
        .orElse(body);
  }

  public static String detokenize(String contentType, String body, Map<String, String> tokens) {
    return detokenize(contentType, body, tokens, StandardCharsets.UTF_8);
  }

  public static String detokenize(
      String contentType, String body, Map<String, String> tokens, Charset charset) {
    return new String(detokenize(contentType, body.getBytes(charset), tokens), charset);
  }

  private static TokenValues values(Map<String, String> tokens) {
    Map<String, SensitiveValue> values = new LinkedHashMap<>();
    tokens.forEach(
        (id, text) -> values.put(id, SensitiveValue.ofText(TextValues.json(JsonValue.of(text)))));
    return new TokenValues(values, bytes -> {});
  }
}
