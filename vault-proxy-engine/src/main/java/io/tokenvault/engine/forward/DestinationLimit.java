package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the number of concurrent exchanges with one destination, so that a destination that does
 * not respond leaves capacity for the others. Thread-safe.
 */
final class DestinationLimit {

  private final int max;
  private final Map<String, Integer> underWay = new ConcurrentHashMap<>();

  /**
   * Creates a limit.
   *
   * @param max concurrent exchanges with one host and port
   */
  DestinationLimit(int max) {
    this.max = max;
  }

  /**
   * Begins an exchange.
   *
   * @return ends the exchange; running it again has no effect
   * @throws RefusedException if the maximum is reached
   */
  Runnable enter(Destination destination) {
    String authority = destination.host() + ":" + destination.port();
    underWay.compute(authority, (name, count) -> oneMore(destination, count));
    AtomicBoolean left = new AtomicBoolean();
    return () -> {
      if (left.compareAndSet(false, true)) {
        underWay.compute(
            authority, (name, count) -> count == null || count == 1 ? null : count - 1);
      }
    };
  }

  /**
   * Returns the increased count.
   *
   * @throws RefusedException if the maximum is reached
   */
  private int oneMore(Destination destination, Integer count) {
    int present = count == null ? 0 : count;
    if (present >= max) {
      throw new RefusedException(
          FailureCause.OVERLOADED,
          "Too many requests to " + destination.host() + " are under way; try again.");
    }
    return present + 1;
  }
}
