package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.ports.runtime.RateLimits.Subject;

/**
 * An application whose key was checked for this request: a {@link Caller} by what the store has, or
 * a {@link CachedCaller} by what may be cached. Use cases that take this one record on condition of
 * the versions that they decided on, and decide again if those are outdated; all others take a
 * {@link Caller}.
 */
public sealed interface AuthenticatedCaller permits Caller, CachedCaller {

  /** Whose requests are counted together with this caller's. */
  Subject subject();
}
