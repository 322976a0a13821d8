package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.Optional;

/**
 * A caller whose key and permissions may be outdated.
 *
 * <p>Only use cases that confirm the data before they take effect accept one; all others need a
 * {@link Caller}, which {@link Authenticator#confirm} loads. Only {@link Authenticator} creates
 * instances; each serves one request.
 */
public final class CachedCaller implements AuthenticatedCaller {

  private final Requirement requirement;
  private Caller caller;
  private Optional<RefusedException> refusal = Optional.empty();

  public CachedCaller(Caller caller, Requirement requirement) {
    this.caller = caller;
    this.requirement = requirement;
  }

  /**
   * Returns the caller. While its state is provisional, every effect must be recorded on condition
   * of its versions.
   */
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

  /** Replaces data that may be outdated by current data. */
  void confirm(Caller present) {
    caller = present;
  }

  /** Keeps a refusal on current data, which was recorded, for every later confirmation. */
  void refuse(RefusedException refused) {
    refusal = Optional.of(refused);
  }

  /**
   * Fails if the caller was refused before.
   *
   * @throws RefusedException again, without another record
   */
  void requireNotRefused() {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  @Override
  public String toString() {
    return caller.toString();
  }
}
