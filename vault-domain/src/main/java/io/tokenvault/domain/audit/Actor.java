package io.tokenvault.domain.audit;

import io.tokenvault.domain.application.ApplicationId;
import java.util.Optional;
import java.util.UUID;

/**
 * The actor of an audited operation.
 *
 * @param id the id of an application; empty for other actors
 * @param type {@code application} or {@code system}; empty for an anonymous caller
 */
public record Actor(Optional<UUID> id, Optional<String> type) {

  private static final Actor ANONYMOUS = new Actor(Optional.empty(), Optional.empty());
  private static final Actor SYSTEM = new Actor(Optional.empty(), Optional.of("system"));

  public static Actor application(ApplicationId id) {
    return new Actor(Optional.of(id.value()), Optional.of("application"));
  }

  /** Returns the actor of operator commands and of the server's background tasks. */
  public static Actor system() {
    return SYSTEM;
  }

  /** Returns the actor for a caller without a key. */
  public static Actor anonymous() {
    return ANONYMOUS;
  }
}
