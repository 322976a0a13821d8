package io.tokenvault.ports.usecase;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.Optional;
import java.util.function.Supplier;

/** Tries again what was decided on things that changed before it was done. */
final class Attempts {

  private static final int MAX = 20;

  private Attempts() {}

  /**
   * @param attempt loads, decides and does; empty if what it decided on has changed
   */
  static <T> T untilDecidedOnWhatHolds(Supplier<Optional<T>> attempt) {
    for (int i = 0; i < MAX; i++) {
      Optional<T> result = attempt.get();
      if (result.isPresent()) {
        return result.get();
      }
    }
    throw new RefusedException(
        FailureCause.OVERLOADED, "What this request needs keeps changing; try again.");
  }
}
