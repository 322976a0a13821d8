package io.tokenvault.ports.spi;

import io.tokenvault.domain.failure.RefusedException;

/** What there is left of the memory that one request may take. For one thread. */
@FunctionalInterface
public interface Room {

  /** As much as anybody wants. */
  Room UNBOUNDED = bytes -> {};

  /**
   * To be called before it is needed. Who gave the room takes it back.
   *
   * @throws RefusedException if there is not that much left
   */
  void take(long bytes);

  /** The same room, of which everything takes as many times as much. */
  default Room times(int factor) {
    return bytes -> take(Math.multiplyExact(bytes, (long) factor));
  }
}
