package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.runtime.MemoryReservation;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * Reads data that can be large only after memory is reserved for it.
 *
 * <p>The first statement reads the data if it is at most 256 KiB, and otherwise only its size. A
 * second statement reads it once the reservation was granted, so that a few large rows cannot
 * exhaust the memory.
 */
public final class SizedRead {

  /** Bytes that are read without a reservation. */
  private static final long LITTLE = 256 << 10;

  private SizedRead() {}

  /**
   * Reads data, in as many statements as needed.
   *
   * @param reading runs the statement with a number of bytes: it returns all large columns if they
   *     have at most so many, and none of them otherwise
   * @param size returns the size of the large columns, whether they were read or not
   * @param room the reservation, which is increased by that size
   * @throws io.tokenvault.domain.failure.RefusedException if the memory is not available
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
      // The data may have grown between the two statements.
      room.take(Math.max(0, needed - granted));
    }
    return read;
  }
}
