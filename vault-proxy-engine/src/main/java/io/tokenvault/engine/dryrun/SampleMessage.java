package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.request.HeaderField;
import java.util.List;
import java.util.Optional;

/**
 * Headers and body of a sample.
 *
 * @param body in the encoding that the headers name; empty if there is none
 */
public record SampleMessage(List<HeaderField> headers, Optional<byte[]> body) {

  private static final byte[] NO_BYTES = {};

  public SampleMessage {
    headers = List.copyOf(headers);
  }

  public byte[] bytes() {
    return body.orElse(NO_BYTES);
  }

  /** Nothing: both can be secret. */
  @Override
  public String toString() {
    return "SampleMessage[redacted]";
  }
}
