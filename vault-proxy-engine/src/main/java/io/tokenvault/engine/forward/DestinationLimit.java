package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many exchanges with one destination go on at the same time, so that one which does not answer
 * leaves room for the others. All threads may share one instance.
 */
final class DestinationLimit {

  private final int max;
  private final Map<String, Integer> underWay = new ConcurrentHashMap<>();

  DestinationLimit(int max) {
    this.max = max;
  }

  /**
   * Takes a place; running what is given once gives it back.
   *
   * @throws RefusedException if there is none
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
