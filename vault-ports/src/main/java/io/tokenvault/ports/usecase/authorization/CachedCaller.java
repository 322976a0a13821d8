package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.ports.runtime.RateLimits.Subject;

/**
 * A caller whose key and rights may be those of a moment ago, on any node. Only use cases that
 * confirm that before anything happens take one; all others need a {@link Caller}, which {@link
 * Gate#confirm} makes of it. Made by {@link Authenticator} only; for one request.
 */
public final class CachedCaller implements AuthenticatedCaller {

  private final Requirement requirement;
  private Caller caller;

  public CachedCaller(Caller caller, Requirement requirement) {
    this.caller = caller;
    this.requirement = requirement;
  }

  /** Good for nothing that is not recorded on its versions, while this is provisional. */
  public Caller caller() {
    return caller;
  }

  @Override
  public Subject subject() {
    return caller.subject();
  }

  Requirement requirement() {
    return requirement;
  }

  /** Replaces what may be outdated by what the store has now. */
  void confirm(Caller present) {
    caller = present;
  }

  @Override
  public String toString() {
    return caller.toString();
  }
}
