package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.Optional;
import java.util.function.UnaryOperator;

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

  /**
   * Returns the caller on current data, which replaces data that may be outdated.
   *
   * @param reload returns the caller on current data, if it still meets the requirement
   * @throws RefusedException if it does not; later confirmations repeat it without another record
   */
  Caller confirm(UnaryOperator<Caller> reload) {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    if (caller.isProvisional()) {
      try {
        caller = reload.apply(caller);
      } catch (RefusedException refused) {
        refusal = Optional.of(refused);
        throw refused;
      }
    }
    return caller;
  }

  @Override
  public String toString() {
    return caller.toString();
  }
}
