package io.tokenvault.ports.usecase;

import io.tokenvault.ports.spi.RateLimits.Subject;

/**
 * A caller whose key and rights may be those of a moment ago, on any node. Only use cases that
 * confirm that before anything happens take one; all others need a {@link Caller}, which {@link
 * Gate#confirm} makes of it. Made by {@link Gate} only; for one request.
 */
public final class RecognisedCaller {

  private final Requirement requirement;
  private final Standing standing;
  private Caller caller;

  RecognisedCaller(Caller caller, Requirement requirement, Standing standing) {
    this.caller = caller;
    this.requirement = requirement;
    this.standing = standing;
  }

  /** Good for nothing that is not recorded on its versions, while this is provisional. */
  Caller caller() {
    return caller;
  }

  /** Whose requests are counted together with this caller's. */
  public Subject subject() {
    return caller.subject();
  }

  Requirement requirement() {
    return requirement;
  }

  Standing standing() {
    return standing;
  }

  /** The same as of now. */
  void confirm(Caller present) {
    caller = present;
    standing.settle();
  }

  @Override
  public String toString() {
    return caller.toString();
  }
}
