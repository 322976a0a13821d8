package io.tokenvault.engine.transform.pool;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A worker that is ready for tasks.
 *
 * <p>It is unassigned until its first use, and from then on it belongs to that tenant until it
 * ends. Guarded by the pool's lock, except for the methods that only its current user calls.
 */
final class PooledWorker {

  private final WorkerProcess process;

  /** The keys of the bundles that the worker has. */
  private final Set<String> bundles = new HashSet<>();

  /** The owner; empty for a spare. */
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

  /**
   * Assigns the worker to a task of a tenant.
   *
   * @throws IllegalStateException if it is busy or belongs to another tenant
   */
  void take(UUID by) {
    if (busy || !tenant.orElse(by).equals(by)) {
      throw new IllegalStateException("the worker is another's");
    }
    tenant = Optional.of(by);
    busy = true;
    uses++;
  }

  /** Marks the worker as idle. */
  void giveBack() {
    busy = false;
    idleSince = System.nanoTime();
  }

  boolean isBusy() {
    return busy;
  }

  /** Returns whether the worker is not yet assigned to a tenant. */
  boolean isSpare() {
    return tenant.isEmpty();
  }

  /** Returns whether the worker belongs to the given tenant. */
  boolean isOf(UUID other) {
    return tenant.isPresent() && tenant.get().equals(other);
  }

  /** Returns when the worker became idle, in terms of {@link System#nanoTime}. */
  long idleSince() {
    return idleSince;
  }

  /**
   * Returns whether the worker has reached the number of uses or bundles after which it is
   * replaced.
   */
  boolean isUsedUp(WorkerSettings settings) {
    return uses >= settings.maxUses() || bundles.size() >= settings.maxBundles();
  }

  /**
   * Returns whether the worker does not have the bundle of a key yet. Called by its current user
   * only.
   */
  boolean lacks(String key) {
    return !bundles.contains(key);
  }

  /** Records that the worker is being sent a bundle. Called by its current user only. */
  void isGiven(String key) {
    bundles.add(key);
  }
}
