package io.tokenvault.ports.usecase.memory;

import io.tokenvault.ports.runtime.MemoryReservation;

/**
 * The memory that one call reserves for tokens across its retries: memory reserved for an earlier
 * attempt counts toward the next one. Not thread-safe.
 */
public final class AttemptReservation implements MemoryReservation {

  /**
   * The memory that showing a token or proxy takes, as a multiple of its encrypted size: as it was
   * read and received, decrypted, as JSON, and in the response while it is written.
   */
  public static final int TO_SHOW = 6;

  /**
   * The memory that handing over raw data takes, as a multiple of its encrypted size. The recipient
   * reserves memory for the request that it puts the data into.
   */
  static final int TO_USE = 4;

  private final MemoryReservation memory;
  private final int times;
  private long taken;
  private long asked;

  private AttemptReservation(MemoryReservation memory, int times) {
    this.memory = memory;
    this.times = times;
  }

  /** Returns a reservation for tokens that are shown. */
  public static AttemptReservation toShow(MemoryReservation memory) {
    return new AttemptReservation(memory, TO_SHOW);
  }

  /** Returns a reservation for tokens whose raw data is handed over. */
  public static AttemptReservation toUse(MemoryReservation memory) {
    return new AttemptReservation(memory, TO_USE);
  }

  /** Begins an attempt and returns the reservation for the tokens that it loads. */
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
