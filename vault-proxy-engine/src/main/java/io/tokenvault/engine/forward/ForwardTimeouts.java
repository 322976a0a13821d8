package io.tokenvault.engine.forward;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How long a destination may take.
 *
 * @param connect for a connection: finding addresses, dialling and the TLS handshake together
 * @param firstByte from the end of the request to the answer; interim answers do not count
 * @param idle without a byte, once the answer has begun, and while the request is sent
 */
public record ForwardTimeouts(Duration connect, Duration firstByte, Duration idle) {

  public ForwardTimeouts {
    if (Stream.of(connect, firstByte, idle).anyMatch(each -> each.toMillis() <= 0)) {
      throw new IllegalArgumentException("a timeout is at least a millisecond");
    }
  }

  /** The same, but for a request that sets how long it waits for its answer. */
  ForwardTimeouts answeringWithin(Optional<Duration> limit) {
    return limit.map(this::answeringWithin).orElse(this);
  }

  private ForwardTimeouts answeringWithin(Duration limit) {
    return new ForwardTimeouts(connect.compareTo(limit) < 0 ? connect : limit, limit, idle);
  }

  int connectMillis() {
    return Math.toIntExact(connect.toMillis());
  }

  int firstByteMillis() {
    return Math.toIntExact(firstByte.toMillis());
  }

  int idleMillis() {
    return Math.toIntExact(idle.toMillis());
  }
}
