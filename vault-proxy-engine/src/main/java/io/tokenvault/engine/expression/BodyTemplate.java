package io.tokenvault.engine.expression;

import io.tokenvault.engine.expression.template.TokenValues;
import java.util.Set;

/** A body with slots for the data of tokens. */
public interface BodyTemplate {

  /** The ids as they are written in the expressions; there is at least one. */
  Set<String> tokenIds();

  /**
   * The bytes with all slots filled. All others are as they were, but for those of a string, run or
   * attribute value that holds an expression.
   *
   * @param values of all {@link #tokenIds()}
   * @throws io.tokenvault.domain.failure.ValidationException if data of a token cannot stand where
   *     it is asked for
   */
  byte[] fill(TokenValues values);
}
