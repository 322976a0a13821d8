package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.ports.runtime.RateLimits.Subject;

/**
 * An application whose key was verified for this request: a {@link Caller} on current data, or a
 * {@link CachedCaller} on data that may be outdated. Use cases that accept both record their
 * entries on condition of the versions that they decided on, and decide again if those are
 * outdated; all others accept a {@link Caller}.
 */
public sealed interface AuthenticatedCaller permits Caller, CachedCaller {

  /** Returns the subject whose rate limit the caller's requests count against. */
  Subject subject();
}
