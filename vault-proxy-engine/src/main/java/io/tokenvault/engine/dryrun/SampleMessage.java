package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.request.HeaderField;
import java.util.List;
import java.util.Optional;

/**
 * The headers and the body of a sample's request or response.
 *
 * @param body in the charset that the headers name; empty if there is none
 */
public record SampleMessage(List<HeaderField> headers, Optional<byte[]> body) {

  private static final byte[] NO_BYTES = {};

  public SampleMessage {
    headers = List.copyOf(headers);
  }

  /** Returns the body, or no bytes if there is none. */
  public byte[] bytes() {
    return body.orElse(NO_BYTES);
  }

  /** Returns a fixed text: headers and body can be secret. */
  @Override
  public String toString() {
    return "SampleMessage[redacted]";
  }
}
