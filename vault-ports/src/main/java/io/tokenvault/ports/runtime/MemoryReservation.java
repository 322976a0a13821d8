package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.RefusedException;

/** The memory that one request reserves before it needs it. Not thread-safe. */
@FunctionalInterface
public interface MemoryReservation {

  /** A reservation without a limit. */
  MemoryReservation UNBOUNDED = bytes -> {};

  /**
   * Reserves more memory. The creator of the reservation releases all of it.
   *
   * @param bytes estimated bytes
   * @throws RefusedException if the budget does not have that much left
   */
  void take(long bytes);
}
