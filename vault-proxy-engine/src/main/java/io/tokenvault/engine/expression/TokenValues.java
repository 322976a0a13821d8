package io.tokenvault.engine.expression;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.secret.SensitiveValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The data of the tokens that one request names: the one place of the engine where it becomes text.
 * For one request and one thread.
 */
public final class TokenValues {

  /** How much token data one request may take in, in characters; small bodies can name a lot. */
  static final int MAX_INSERTED = 10 * 1024 * 1024;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final Map<String, SensitiveValue> values;
  private int inserted;

  /**
   * @param values JSON in UTF-8 by token id
   */
  public TokenValues(Map<String, SensitiveValue> values) {
    this.values = Map.copyOf(values);
  }

  /** The content of a JSON string, the JSON of any other value. */
  String text(String tokenId) {
    return counted(content(open(tokenId)));
  }

  /** The value as JSON. */
  String json(String tokenId) {
    return counted(open(tokenId));
  }

  private String open(String tokenId) {
    return new String(values.get(tokenId).open(), StandardCharsets.UTF_8);
  }

  private static String content(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      return parser.nextToken() == JsonToken.VALUE_STRING ? parser.getText() : json;
    } catch (IOException unreadable) {
      // Without the cause, which quotes what it could not read.
      throw new IllegalStateException("the data of a token is not JSON");
    }
  }

  private String counted(String text) {
    inserted += text.length();
    if (inserted > MAX_INSERTED) {
      throw new RefusedException(
          FailureCause.BODY_TOO_LARGE, "The data of the named tokens is too large for a request.");
    }
    return text;
  }
}
