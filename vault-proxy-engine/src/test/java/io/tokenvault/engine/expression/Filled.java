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
public final class Filled {

  private Filled() {}

  /** Returns the detokenized body; the body itself if it contains no expression. */
  static byte[] bytes(String contentType, byte[] body, Map<String, String> texts) {
    return TextualBody.of(contentType)
        .flatMap(kind -> kind.read(body, bytes -> {}))
        .map(template -> template.fill(values(texts)))
        .orElse(body);
  }

  public static String text(String contentType, String body, Map<String, String> texts) {
    return text(contentType, body, texts, StandardCharsets.UTF_8);
  }

  public static String text(
      String contentType, String body, Map<String, String> texts, Charset charset) {
    return new String(bytes(contentType, body.getBytes(charset), texts), charset);
  }

  static TokenValues values(Map<String, String> texts) {
    Map<String, SensitiveValue> values = new LinkedHashMap<>();
    texts.forEach(
        (id, text) -> values.put(id, SensitiveValue.ofText(TextValues.json(JsonValue.of(text)))));
    return new TokenValues(values, bytes -> {});
  }
}
