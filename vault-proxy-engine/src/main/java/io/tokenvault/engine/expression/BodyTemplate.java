package io.tokenvault.engine.expression;

import io.tokenvault.engine.expression.template.TokenValues;
import java.util.Set;

/**
 * A body with slots for token data.
 *
 * <pre>{@code
 * Optional<BodyTemplate> template = TextualBody.of("application/json").get().read(body, memory);
 * byte[] filled = template.get().fill(values);
 * }</pre>
 */
public interface BodyTemplate {

  /**
   * Returns the token ids exactly as they are written in the expressions; there is at least one.
   */
  Set<String> tokenIds();

  /**
   * Returns the body with all slots filled. Bytes outside of the strings, runs of text and
   * attribute values that contain an expression are unchanged.
   *
   * @param values data of all {@link #tokenIds()}
   * @throws io.tokenvault.domain.failure.ValidationException if the data of a token cannot be
   *     written at the place of its expression
   */
  byte[] fill(TokenValues values);
}
