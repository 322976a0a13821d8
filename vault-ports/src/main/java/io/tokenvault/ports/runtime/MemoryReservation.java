package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.RefusedException;

/** The memory that one request reserves before it needs it. For one thread. */
@FunctionalInterface
public interface MemoryReservation {

  /** Grants whatever is asked for. */
  MemoryReservation UNBOUNDED = bytes -> {};

  /**
   * Reserves more. Whoever opened the reservation gives all of it back.
   *
   * @throws RefusedException if there is not that much left
   */
  void take(long bytes);

  /** Returns a view of this reservation through which everything takes this many times as much. */
  default MemoryReservation times(int factor) {
    return bytes -> take(Math.multiplyExact(bytes, (long) factor));
  }
}
