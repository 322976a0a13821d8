package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.VaultException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Record of whether the vault was unavailable for any call of one transform run.
 *
 * <p>Such a run fails as unavailable, whatever the script does with the failed call: an operation
 * that cannot be recorded in the audit log must not continue. Thread-safe; all threads that serve
 * the run share one instance.
 */
public final class FailedCalls {

  /** A call normally takes a few milliseconds; one that takes longer is waiting for its store. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The start times of the calls in progress, in nanoseconds. */
  private final Map<Object, Long> begun = new ConcurrentHashMap<>();

  private volatile boolean unavailable;

  /**
   * Makes a call and records whether it failed because the vault was unavailable.
   *
   * @throws VaultException the failure of the call, unchanged
   */
  public <T> T noting(Supplier<T> call) {
    Object key = new Object();
    begun.put(key, System.nanoTime());
    try {
      return call.get();
    } catch (VaultException refused) {
      if (refused.failure().code() == FailureCode.UNAVAILABLE) {
        unavailable = true;
      }
      throw refused;
    } finally {
      begun.remove(key);
    }
  }

  /** Returns whether a completed call failed because the vault was unavailable. */
  public boolean any() {
    return unavailable;
  }

  /**
   * Returns whether a call has been waiting for more than one second, which a caller treats as
   * unavailability of the vault.
   */
  public boolean anyWaiting() {
    long now = System.nanoTime();
    return begun.values().stream().anyMatch(since -> now - since > PATIENCE_NANOS);
  }
}
