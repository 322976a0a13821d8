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
 * The way in: turns an API key into a {@link Caller}. The key is checked against the store on every
 * request, so that a changed right or an ended key holds on every node from the next request on.
 */
public final class Authenticator {

  private final CallerLookups callers;
  private final AuditTrail trail;
  private final RequestRates rates;

  /** One that remembers nobody. */
  public Authenticator(
      RequestLookup lookup, KeyHasher hasher, CredentialStore credentials, AuditRecorder recorder) {
    this(lookup, LookupCache.forgetful(lookup), hasher, credentials, recorder);
  }

  /**
   * @param recent for callers that are recognised
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
   * @param recent for callers that are recognised
   * @param notice is told of each application that was looked up and may act, and when; not of uses
   *     that rest on what is remembered, which another look-up follows soon
   * @param limits of those who come with a key, and of proxies that are called without one
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
   * Checks key, rate and permission, before anything else of a request is looked at.
   *
   * @param presentedKey the key as it was sent; empty if none was
   * @throws RefusedException if there is no valid key, or what is required is not granted, which is
   *     recorded
   * @throws RateLimitedException if it is one request too many
   */
  public Caller admit(Optional<String> presentedKey, Requirement requirement) {
    Caller caller = callers.load(identity(presentedKey));
    rates.count(caller);
    trail.require(caller, requirement);
    return caller;
  }

  /**
   * The same from memory where it can: for use cases that confirm it before anything happens. A
   * caller that is refused was looked up.
   *
   * @throws RefusedException as {@link #admit}
   * @throws RateLimitedException as {@link #admit}, possibly from memory
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
   * The caller as of now, if that was not found out yet.
   *
   * @throws RefusedException as {@link #admit}
   */
  public Caller confirm(AuthenticatedCaller authenticated) {
    if (authenticated instanceof Caller current) {
      return current;
    }
    CachedCaller recognised = (CachedCaller) authenticated;
    if (recognised.caller().standing().isProvisional()) {
      callers.forget(recognised.caller().identity());
      Caller present = callers.again(recognised.caller());
      trail.require(present, recognised.requirement());
      recognised.confirm(present);
    }
    return recognised.caller();
  }

  /**
   * Checks the permission alone, of a caller that comes in without its key, before anything else of
   * what it asks for is looked at.
   *
   * @throws RefusedException if what is required is not granted, which is recorded
   */
  public void require(Caller caller, Requirement requirement) {
    trail.require(caller, requirement);
  }

  /** By which a caller is looked up that was not turned away just now. */
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
