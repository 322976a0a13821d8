package io.tokenvault.engine.transform;

import io.tokenvault.domain.request.HeaderField;
import java.util.List;
import java.util.Optional;

/**
 * Headers and body of a request or response, which a transform may change.
 *
 * @param headers all fields, in order, including repeated ones
 * @param body the body without a content coding; empty if there is none
 */
public record HttpMessage(List<HeaderField> headers, Optional<byte[]> body) {

  public HttpMessage {
    headers = List.copyOf(headers);
  }

  /** Returns the length of the body in bytes; 0 if there is no body. */
  public int bodyLength() {
    return body.map(bytes -> bytes.length).orElse(0);
  }

  /** Returns a constant, since headers and body can be secret. */
  @Override
  public String toString() {
    return "Message[redacted]";
  }
}
