package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.text.ByteScanner;
import io.tokenvault.engine.expression.text.MediaType;
import io.tokenvault.engine.expression.text.WorkMemory;
import java.util.Optional;

/**
 * A kind of body that can contain expressions, according to its content type. Implementations are
 * immutable.
 */
public interface TextualBody {

  /** Returns the kind of a content type; empty if its bodies cannot contain expressions. */
  static Optional<TextualBody> of(String contentType) {
    return of(contentType, 0);
  }

  /**
   * Returns the kind of a content type inside of multipart bodies.
   *
   * @param depth number of multipart bodies around it
   */
  static Optional<TextualBody> of(String contentType, int depth) {
    MediaType type = MediaType.parse(contentType);
    return type.isMultipart()
        ? MultipartBody.of(type, depth)
        : BodySyntax.of(type).map(syntax -> new CharacterBody(syntax, type));
  }

  /**
   * Finds the expressions in a complete body.
   *
   * @param memory reserves memory for the work, before it starts, if the body may contain
   *     expressions
   * @return empty if there are none, so that the body is forwarded unchanged
   * @throws ValidationException if there are expressions and the body does not match its type
   */
  Optional<BodyTemplate> read(byte[] body, WorkMemory memory);

  /** Returns a scanner that detects expressions in a body that is too long to buffer. */
  ByteScanner watch();
}
