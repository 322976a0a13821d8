package io.tokenvault.engine.transform;

import io.tokenvault.domain.request.HeaderField;
import java.util.List;
import java.util.Optional;

/**
 * What a transform may change of a request or an answer.
 *
 * @param body empty if there is none
 */
public record HttpMessage(List<HeaderField> headers, Optional<byte[]> body) {

  public HttpMessage {
    headers = List.copyOf(headers);
  }

  public int bodyLength() {
    return body.map(bytes -> bytes.length).orElse(0);
  }

  /** Nothing: both can be secret. */
  @Override
  public String toString() {
    return "Message[redacted]";
  }
}
