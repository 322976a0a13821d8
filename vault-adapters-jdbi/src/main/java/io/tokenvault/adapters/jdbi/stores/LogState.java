package io.tokenvault.adapters.jdbi.stores;

import java.time.Duration;
import java.util.Objects;

/**
 * How the log of a database stands.
 *
 * @param sealLag the age of the oldest entry that waits for its seal; zero if none does
 * @param partitionsLeft until the time for which no partition was made
 */
public record LogState(Duration sealLag, Duration partitionsLeft) {
  public LogState {
    Objects.requireNonNull(sealLag, "sealLag");
    Objects.requireNonNull(partitionsLeft, "partitionsLeft");
  }
}
