package io.tokenvault.ports.usecase.memory;

import io.tokenvault.ports.runtime.MemoryReservation;

/**
 * The memory that one call reserves for tokens, whichever number of attempts it takes: what an
 * earlier attempt took counts for the next one. For one thread.
 */
public final class AttemptReservation implements MemoryReservation {

  /**
   * How many times what is encrypted of a token, or of a proxy, it takes to show it: as it was read
   * and received, decrypted, as JSON, and in the response while that is put together.
   */
  public static final int TO_SHOW = 6;

  /** The same to give it to somebody who puts it into a request, and counts what that takes. */
  static final int TO_USE = 4;

  private final MemoryReservation memory;
  private final int times;
  private long taken;
  private long asked;

  private AttemptReservation(MemoryReservation memory, int times) {
    this.memory = memory;
    this.times = times;
  }

  /** For tokens that are shown. */
  public static AttemptReservation toShow(MemoryReservation memory) {
    return new AttemptReservation(memory, TO_SHOW);
  }

  /** For tokens of which the raw data is given to somebody. */
  public static AttemptReservation toUse(MemoryReservation memory) {
    return new AttemptReservation(memory, TO_USE);
  }

  /** Begins an attempt and returns what it reserves with for the tokens that it loads. */
  public MemoryReservation toLoad() {
    asked = 0;
    return times(times);
  }

  @Override
  public void take(long bytes) {
    asked += bytes;
    if (asked > taken) {
      memory.take(asked - taken);
      taken = asked;
    }
  }
}
