package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.runtime.MemoryReservation;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * Reads what can be large. A little comes with the first statement; of more than that only the size
 * does, and a second statement reads it once there is room for it.
 */
public final class SizedRead {

  /** In bytes; so much is loaded before anybody was asked. */
  private static final long LITTLE = 256 << 10;

  private SizedRead() {}

  /**
   * @param reading reads all that is large if it is no more than this many bytes, and else nothing
   *     of it
   * @param size how much that is, read or not
   */
  public static <T> T read(
      LongFunction<T> reading, ToLongFunction<T> size, MemoryReservation room) {
    long granted = LITTLE;
    T read = reading.apply(granted);
    long needed = size.applyAsLong(read);
    room.take(needed);
    while (needed > granted) {
      granted = needed;
      read = reading.apply(granted);
      needed = size.applyAsLong(read);
      // Somebody may have added to it meanwhile.
      room.take(Math.max(0, needed - granted));
    }
    return read;
  }
}
