package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.VaultException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Notes whether the vault was unavailable for something that one run asked it for: then the
 * invocation fails with that, whatever the script makes of it, since what cannot be recorded must
 * not go on. All threads may share it.
 */
public final class FailedCalls {

  /** The vault answers in a few milliseconds; what waits longer waits for its store. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<Object, Long> begun = new ConcurrentHashMap<>();
  private volatile boolean unavailable;

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

  /** Whether the vault was unavailable for one that has ended. */
  public boolean any() {
    return unavailable;
  }

  /** Whether one has been waiting for so long that the vault has to be taken for unavailable. */
  public boolean anyWaiting() {
    long now = System.nanoTime();
    return begun.values().stream().anyMatch(since -> now - since > PATIENCE_NANOS);
  }
}
