package io.tokenvault.engine.forward;

import java.io.InputStream;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The body of a request, which can be read once.
 *
 * @param content may throw {@link BodyRefusedException} to end the request, unfinished
 * @param length in bytes, if it is known
 */
public record OutgoingBody(InputStream content, OptionalLong length) {
  public OutgoingBody {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(length, "length");
  }
}
