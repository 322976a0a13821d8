package io.tokenvault.engine.transform.pool;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A worker that is ready. It belongs to nobody until its first use, and from then on to that tenant
 * until it dies. Guarded by the pool's lock, but for what only its present user does.
 */
final class PooledWorker {

  private final WorkerProcess process;
  private final Set<String> bundles = new HashSet<>();
  private Optional<UUID> tenant = Optional.empty();
  private boolean busy;
  private int uses;
  private long idleSince = System.nanoTime();

  PooledWorker(WorkerProcess process) {
    this.process = process;
  }

  WorkerProcess process() {
    return process;
  }

  void take(UUID by) {
    if (busy || !tenant.orElse(by).equals(by)) {
      throw new IllegalStateException("the worker is another's");
    }
    tenant = Optional.of(by);
    busy = true;
    uses++;
  }

  void giveBack() {
    busy = false;
    idleSince = System.nanoTime();
  }

  boolean isBusy() {
    return busy;
  }

  boolean isSpare() {
    return tenant.isEmpty();
  }

  boolean isOf(UUID other) {
    return tenant.isPresent() && tenant.get().equals(other);
  }

  long idleSince() {
    return idleSince;
  }

  /** Whether it has served long enough. */
  boolean isUsedUp(WorkerSettings settings) {
    return uses >= settings.maxUses() || bundles.size() >= settings.maxBundles();
  }

  /** Whether it has yet to be sent the bundle of a key. Asked by its user only. */
  boolean lacks(String key) {
    return !bundles.contains(key);
  }

  /** A bundle is sent to it. Said by its user only. */
  void isGiven(String key) {
    bundles.add(key);
  }
}
