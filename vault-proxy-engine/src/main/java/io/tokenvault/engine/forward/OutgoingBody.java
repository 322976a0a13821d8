package io.tokenvault.engine.forward;

import java.io.InputStream;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The body of a request, read once.
 *
 * @param content a {@link BodyRefusedException} from it breaks the request off, unfinished
 * @param length in bytes, where it is known
 */
public record OutgoingBody(InputStream content, OptionalLong length) {
  public OutgoingBody {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(length, "length");
  }
}
