package io.tokenvault.engine.forward;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Time limits for an exchange with a destination, of at least a millisecond each.
 *
 * @param connect limit for a connection: DNS lookup, TCP connect and TLS handshake together
 * @param firstByte limit from the end of the request to the response; interim responses do not
 *     count
 * @param idle limit for each pause while the request is sent and once the response has begun
 */
public record ForwardTimeouts(Duration connect, Duration firstByte, Duration idle) {

  public ForwardTimeouts {
    if (Stream.of(connect, firstByte, idle).anyMatch(each -> each.toMillis() <= 0)) {
      throw new IllegalArgumentException("a timeout is at least a millisecond");
    }
  }

  /**
   * Returns these limits with the limit for the response replaced, if the request sets one. The
   * limit for a connection is then at most as long.
   */
  ForwardTimeouts withResponseTimeout(Optional<Duration> limit) {
    return limit
        .map(each -> new ForwardTimeouts(connect.compareTo(each) < 0 ? connect : each, each, idle))
        .orElse(this);
  }
}
