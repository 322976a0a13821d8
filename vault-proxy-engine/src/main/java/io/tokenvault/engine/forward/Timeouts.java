package io.tokenvault.engine.forward;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * How long a destination may take.
 *
 * @param connect for a connection, and again for its TLS handshake
 * @param firstByte from the end of the request to the answer's first byte
 * @param idle without a byte, once the answer has begun, and while the request is sent
 */
public record Timeouts(Duration connect, Duration firstByte, Duration idle) {

  public Timeouts {
    if (Stream.of(connect, firstByte, idle).anyMatch(each -> each.toMillis() <= 0)) {
      throw new IllegalArgumentException("a timeout is at least a millisecond");
    }
  }
}
