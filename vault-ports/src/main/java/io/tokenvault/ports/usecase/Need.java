package io.tokenvault.ports.usecase;

import io.tokenvault.ports.spi.Room;
import io.tokenvault.ports.spi.StoredToken;
import java.util.Collection;

/**
 * What one call needs of memory for the tokens that it shows. It is decided anew on what holds, but
 * takes the room for them once. For one thread.
 */
final class Need {

  /**
   * How many times what is sealed of a token, or of a proxy: as it was read, opened, as JSON, and
   * in the answer while that is put together.
   */
  static final int TIMES = 6;

  private final Room room;
  private long taken;

  Need(Room room) {
    this.room = room.times(TIMES);
  }

  /** For all that shows these; not for any in addition. */
  void of(Collection<StoredToken> tokens) {
    long all = tokens.stream().mapToLong(StoredToken::size).sum();
    if (all > taken) {
      room.take(all - taken);
      taken = all;
    }
  }
}
