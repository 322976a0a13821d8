package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.store.LookupCache.Recalled;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Authenticates API keys: turns a key into a {@link Caller}.
 *
 * <p>The key is checked against the store on every request, so that a changed permission or an
 * ended key takes effect on every node with the next request.
 */
public final class Authenticator {

  private final CallerLookups callers;
  private final AuditTrail trail;
  private final RequestRates rates;

  /** Creates an authenticator without a cache. */
  public Authenticator(
      RequestLookup lookup, KeyHasher hasher, CredentialStore credentials, AuditRecorder recorder) {
    this(lookup, LookupCache.forgetful(lookup), hasher, credentials, recorder);
  }

  /**
   * Creates an authenticator.
   *
   * @param recent the cache for callers that {@link #recognise} accepts
   */
  public Authenticator(
      RequestLookup lookup,
      LookupCache recent,
      KeyHasher hasher,
      CredentialStore credentials,
      AuditRecorder recorder) {
    this(lookup, recent, hasher, credentials, recorder, (application, now) -> {}, RateLimits.NONE);
  }

  /**
   * Creates an authenticator.
   *
   * @param recent the cache for callers that {@link #recognise} accepts
   * @param notice receives each application that was looked up and may act, with the time; not for
   *     uses of cached data, which another look-up soon follows
   * @param limits the rate limits of applications, and of proxies that are called without a key
   */
  public Authenticator(
      RequestLookup lookup,
      LookupCache recent,
      KeyHasher hasher,
      CredentialStore credentials,
      AuditRecorder recorder,
      BiConsumer<Application, Instant> notice,
      RateLimits limits) {
    this.trail = new AuditTrail(recorder);
    this.callers = new CallerLookups(lookup, recent, hasher, credentials, trail, notice);
    this.rates = new RequestRates(limits, recorder);
  }

  /**
   * Checks key, rate and permission. Call it before any other part of a request is examined.
   *
   * @param presentedKey the key as it was sent; empty if none was sent
   * @throws RefusedException if there is no valid key, or the requirement is not met, which is
   *     recorded
   * @throws RateLimitedException if the rate limit is exceeded
   */
  public Caller admit(Optional<String> presentedKey, Requirement requirement) {
    Caller caller = callers.load(identity(presentedKey));
    rates.count(caller);
    trail.require(caller, requirement);
    return caller;
  }

  /**
   * Checks key, rate and permission on cached data where possible, for use cases that confirm the
   * result before they take effect. A caller is refused on current data only.
   *
   * @throws RefusedException as for {@link #admit}
   * @throws RateLimitedException as for {@link #admit}, possibly on cached data
   */
  public CachedCaller recognise(Optional<String> presentedKey, Requirement requirement) {
    LookupRequest identity = identity(presentedKey);
    Recalled recalled = callers.recall(identity);
    if (recalled.isRemembered()) {
      Caller remembered = callers.remembered(recalled.loaded(), identity, Bounds.NONE);
      rates.count(remembered);
      CachedCaller recognised = new CachedCaller(remembered, requirement);
      if (!requirement.isMetBy(remembered)) {
        confirm(recognised);
      }
      return recognised;
    }
    Caller caller = callers.caller(recalled.loaded(), identity);
    rates.count(caller);
    trail.require(caller, requirement);
    return new CachedCaller(caller, requirement);
  }

  /**
   * Returns the caller on current data, which is loaded unless that has already happened.
   *
   * @throws RefusedException as for {@link #admit}
   */
  public Caller confirm(AuthenticatedCaller authenticated) {
    if (authenticated instanceof Caller current) {
      return current;
    }
    CachedCaller recognised = (CachedCaller) authenticated;
    recognised.requireNotRefused();
    if (recognised.caller().standing().isProvisional()) {
      callers.forget(recognised.caller().identity());
      recognised.confirm(loadCurrent(recognised));
    }
    return recognised.caller();
  }

  private Caller loadCurrent(CachedCaller recognised) {
    try {
      Caller present = callers.again(recognised.caller());
      trail.require(present, recognised.requirement());
      return present;
    } catch (RefusedException refused) {
      recognised.refuse(refused);
      throw refused;
    }
  }

  /**
   * Checks only the permission, of a caller that acts without its key. Call it before any other
   * part of the request is examined.
   *
   * @throws RefusedException if the requirement is not met, which is recorded
   */
  public void require(Caller caller, Requirement requirement) {
    trail.require(caller, requirement);
  }

  /** Returns the look-up for a key, unless its subject was just rate limited. */
  private LookupRequest identity(Optional<String> presentedKey) {
    List<KeyHash> hashes = callers.hashes(presentedKey.orElseThrow(CallerLookups::unauthenticated));
    rates.turnAwayKnown(hashes);
    return LookupRequest.caller(hashes);
  }

  public RequestRates rates() {
    return rates;
  }

  public CallerLookups callers() {
    return callers;
  }
}
