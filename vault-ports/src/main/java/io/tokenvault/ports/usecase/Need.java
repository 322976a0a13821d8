package io.tokenvault.ports.usecase;

import io.tokenvault.ports.spi.Room;

/**
 * What one call needs of memory for tokens. It may be decided again on what holds: what an earlier
 * attempt took then counts for the next one. For one thread.
 */
final class Need implements Room {

  /**
   * How many times what is encrypted of a token, or of a proxy, it takes to show it: as it was read
   * and received, decrypted, as JSON, and in the response while that is put together.
   */
  static final int TO_SHOW = 6;

  /** The same to give it to somebody who puts it into a request, and counts what that takes. */
  static final int TO_USE = 4;

  private final Room room;
  private final int times;
  private long taken;
  private long asked;

  private Need(Room room, int times) {
    this.room = room;
    this.times = times;
  }

  /** For tokens that are shown. */
  static Need toShow(Room room) {
    return new Need(room, TO_SHOW);
  }

  /** For tokens of which the raw data is given to somebody. */
  static Need toUse(Room room) {
    return new Need(room, TO_USE);
  }

  /** Begins an attempt, and gives what it loads tokens with. */
  Room toLoad() {
    asked = 0;
    return times(times);
  }

  @Override
  public void take(long bytes) {
    asked += bytes;
    if (asked > taken) {
      room.take(asked - taken);
      taken = asked;
    }
  }
}
