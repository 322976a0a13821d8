package io.tokenvault.adapters.jdbi.stores;

import java.time.Duration;
import java.util.Objects;

/**
 * The state of a database's audit log.
 *
 * @param chainLag the age of the oldest entry that is not in the hash chain yet; zero if there is
 *     none
 * @param partitionsLeft the time until the end of the last monthly partition that exists; zero or
 *     negative if that has passed
 */
public record LogState(Duration chainLag, Duration partitionsLeft) {
  public LogState {
    Objects.requireNonNull(chainLag, "chainLag");
    Objects.requireNonNull(partitionsLeft, "partitionsLeft");
  }
}
