package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import java.util.List;
import java.util.Optional;

/**
 * What a transform may change of a request or an answer.
 *
 * @param body empty if there is none
 */
record Message(List<HeaderField> headers, Optional<byte[]> body) {

  Message {
    headers = List.copyOf(headers);
  }

  int bodyLength() {
    return body.map(bytes -> bytes.length).orElse(0);
  }

  /** Nothing: both can be secret. */
  @Override
  public String toString() {
    return "Message[redacted]";
  }
}
