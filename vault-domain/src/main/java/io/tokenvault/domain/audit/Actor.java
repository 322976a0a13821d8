package io.tokenvault.domain.audit;

import io.tokenvault.domain.application.ApplicationId;
import java.util.Optional;
import java.util.UUID;

/**
 * Who did something.
 *
 * @param type {@code application} or {@code system}; empty for an anonymous caller
 */
public record Actor(Optional<UUID> id, Optional<String> type) {

  private static final Actor ANONYMOUS = new Actor(Optional.empty(), Optional.empty());
  private static final Actor SYSTEM = new Actor(Optional.empty(), Optional.of("system"));

  public static Actor application(ApplicationId id) {
    return new Actor(Optional.of(id.value()), Optional.of("application"));
  }

  /** A command of the operator, or work that the server does by itself. */
  public static Actor system() {
    return SYSTEM;
  }

  /** A caller without a key. */
  public static Actor anonymous() {
    return ANONYMOUS;
  }
}
