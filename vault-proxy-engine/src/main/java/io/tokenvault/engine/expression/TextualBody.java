package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.text.ByteScanner;
import io.tokenvault.engine.expression.text.MediaType;
import io.tokenvault.engine.expression.text.WorkMemory;
import java.util.Optional;

/** A kind of body that can hold expressions, as its content type says. */
public interface TextualBody {

  /** Empty if bodies of this type cannot hold expressions. */
  static Optional<TextualBody> of(String contentType) {
    return of(contentType, 0);
  }

  /**
   * @param depth how many multipart bodies it is inside
   */
  static Optional<TextualBody> of(String contentType, int depth) {
    MediaType type = MediaType.parse(contentType);
    return type.isMultipart()
        ? MultipartBody.of(type, depth)
        : BodySyntax.of(type).map(syntax -> new CharacterBody(syntax, type));
  }

  /**
   * Finds the expressions of a whole body.
   *
   * @param memory is asked before anything is made of the body, if it may hold expressions
   * @return empty if there are none, and the body goes on byte for byte
   * @throws ValidationException if there are, and the body is not what its type says
   */
  Optional<BodyTemplate> read(byte[] body, WorkMemory memory);

  /** Watches for expressions in a body that is too large to hold. */
  ByteScanner watch();
}
