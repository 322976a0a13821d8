package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.runtime.RateLimits.Excess;
import io.tokenvault.ports.runtime.RateLimits.Kind;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.store.LookupCache.Found;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Authenticates API keys: turns a key into a {@link Caller}, within the rate limits.
 *
 * <p>The key is checked against the store on every request, so that a changed permission or an
 * ended key takes effect on every node with the next request.
 *
 * <p>A request is counted once its key was found, before any other part of it is examined. One
 * rejection per minute and subject is recorded before it is reported; otherwise a flood would fill
 * the log. Nothing depends on a rejected request, so the rejection may be based on cached data.
 *
 * <p>It also tracks when applications were last used, to the minute; see {@link #storeUses}.
 */
public final class Authenticator {

  /** The maximum number of tracked applications; others are skipped until uses are stored. */
  private static final int MAX_TRACKED = 100_000;

  private static final int USES_PER_WRITE = 1000;

  private final RequestLookup lookup;
  private final LookupCache cache;
  private final KeyHasher hasher;
  private final CredentialStore credentials;
  private final AuditTrail trail;
  private final RateLimits limits;
  private final Map<Subject, Instant> uses = new ConcurrentHashMap<>();

  /** Creates an authenticator without a cache and rate limits. */
  public Authenticator(
      RequestLookup lookup, KeyHasher hasher, CredentialStore credentials, AuditRecorder recorder) {
    this(lookup, LookupCache.none(lookup), hasher, credentials, recorder, RateLimits.NONE);
  }

  /**
   * Creates an authenticator.
   *
   * @param cache the cache for callers that {@link #authenticateCached} accepts
   * @param limits the rate limits of applications, and of proxies that are called without a key
   */
  public Authenticator(
      RequestLookup lookup,
      LookupCache cache,
      KeyHasher hasher,
      CredentialStore credentials,
      AuditRecorder recorder,
      RateLimits limits) {
    this.lookup = lookup;
    this.cache = cache;
    this.hasher = hasher;
    this.credentials = credentials;
    this.trail = new AuditTrail(recorder);
    this.limits = limits;
  }

  /**
   * Checks key, rate and permission. Call it before any other part of a request is examined.
   *
   * @param presentedKey the key as it was sent; empty if none was sent
   * @throws RefusedException if there is no valid key, or the requirement is not met, which is
   *     recorded
   * @throws RateLimitedException if the rate limit is exceeded
   */
  public Caller authenticate(Optional<String> presentedKey, Requirement requirement) {
    return authenticate(presentedKey, requirement, Bounds.NONE, subject -> {});
  }

  /**
   * Checks key, rate and permission, as {@link #authenticate(Optional, Requirement)}.
   *
   * @param bounds limits the caller for the whole request
   * @param found receives the owner of a valid key, also if the request is then refused
   */
  public Caller authenticate(
      Optional<String> presentedKey,
      Requirement requirement,
      Bounds bounds,
      Consumer<Subject> found) {
    LookupRequest identity = identity(presentedKey);
    Caller caller = caller(load(identity), identity, bounds);
    count(caller, found);
    trail.require(caller, requirement);
    return caller;
  }

  /**
   * Checks key, rate and permission on cached data where possible, for use cases that confirm the
   * result before they take effect. A caller is refused on current data only.
   *
   * @param bounds limits the caller for the whole request
   * @param found receives the owner of a valid key, also if the request is then refused
   * @throws RefusedException as for {@link #authenticate}
   * @throws RateLimitedException as for {@link #authenticate}, possibly on cached data
   */
  public CachedCaller authenticateCached(
      Optional<String> presentedKey,
      Requirement requirement,
      Bounds bounds,
      Consumer<Subject> found) {
    LookupRequest identity = identity(presentedKey);
    Found records = lookUpCached(identity, MemoryReservation.UNBOUNDED);
    CachedCaller cached = new CachedCaller(caller(records, identity, bounds), requirement);
    count(cached.caller(), found);
    if (!requirement.isMetBy(cached.caller())) {
      trail.require(confirm(cached), requirement);
    }
    return cached;
  }

  /**
   * Returns the caller on current data, which is loaded unless that has already happened.
   *
   * @throws RefusedException as for {@link #authenticate}
   */
  public Caller confirm(AuthenticatedCaller authenticated) {
    if (authenticated instanceof Caller current) {
      return current;
    }
    CachedCaller cached = (CachedCaller) authenticated;
    return cached.confirm(
        outdated -> {
          evict(outdated.identity());
          Caller present = reload(outdated);
          trail.require(present, cached.requirement());
          return present;
        });
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

  /** Returns the look-up for a key. */
  private LookupRequest identity(Optional<String> presentedKey) {
    return LookupRequest.caller(hashes(presentedKey.orElseThrow(Authenticator::unauthenticated)));
  }

  /**
   * Returns the hashes by which a key is looked up.
   *
   * @throws RefusedException if the string is not an API key
   */
  public List<KeyHash> hashes(String presentedKey) {
    return ApiKey.parse(presentedKey)
        .map(hasher::hashes)
        .orElseThrow(Authenticator::unauthenticated);
  }

  /** Finds records in the cache where possible. */
  public Found lookUpCached(LookupRequest wanted, MemoryReservation reservation) {
    return cache.lookUp(wanted, reservation);
  }

  /** Removes a look-up from the cache. */
  public void evict(LookupRequest known) {
    cache.invalidate(known);
  }

  /** Returns the caller of a look-up that may be outdated; records nothing. */
  public Caller cachedCaller(LookupResult cached, LookupRequest identity, Bounds bounds) {
    LoadedCaller found =
        cached.caller().filter(each -> !each.expired()).orElseThrow(() -> absent(identity));
    return new Caller(found, identity, bounds, cached.now(), true);
  }

  /** Returns the caller of a look-up if its key is valid, as far as the look-up shows it. */
  public Caller caller(Found found, LookupRequest identity, Bounds bounds) {
    return found.isCached()
        ? cachedCaller(found.loaded(), identity, bounds)
        : caller(found.loaded(), identity, bounds);
  }

  /** Returns a caller on the data of a later look-up, if it may still act. */
  public Caller reload(Caller caller, LookupResult loaded) {
    return caller(loaded, caller.identity(), caller.bounds());
  }

  /** Returns a caller on current data, if it may still act. */
  public Caller reload(Caller caller) {
    return reload(caller, load(caller.identity()));
  }

  /**
   * Returns an application that acts without its key.
   *
   * @throws RefusedException if it does not exist or has expired
   */
  public Caller acting(ActingApplication application, Bounds bounds) {
    LookupRequest identity = LookupRequest.acting(application, Set.of());
    return caller(load(identity), identity, bounds);
  }

  private Caller caller(LookupResult loaded, LookupRequest identity, Bounds bounds) {
    LoadedCaller found = loaded.caller().orElseThrow(() -> absent(identity));
    Caller caller = new Caller(found, identity, bounds, loaded.now(), false);
    if (found.expired()) {
      recordExpired(caller, identity);
      throw absent(identity);
    }
    trackUse(caller);
    found.matched().ifPresent(matched -> renew(caller.tenantId(), matched, identity.apiKey()));
    return caller;
  }

  /** Loads current data about a caller, without tokens. */
  private LookupResult load(LookupRequest identity) {
    return lookup.load(identity, MemoryReservation.UNBOUNDED);
  }

  /** Tracks a use of current data; another look-up soon follows a use of cached data. */
  private void trackUse(Caller caller) {
    Instant minute = caller.now().truncatedTo(ChronoUnit.MINUTES);
    Instant known = uses.get(caller.subject());
    if (known == null ? uses.size() < MAX_TRACKED : known.isBefore(minute)) {
      uses.merge(caller.subject(), minute, (one, other) -> one.isAfter(other) ? one : other);
    }
  }

  /**
   * Stores when applications were last used on this node. It is best effort: uses that cannot be
   * stored are kept for the next call, and those that were not stored before a crash are lost.
   */
  public void storeUses(ApplicationStore applications) {
    List<Map.Entry<Subject, Instant>> tracked = List.copyOf(uses.entrySet());
    for (int from = 0; from < tracked.size(); from += USES_PER_WRITE) {
      List<Map.Entry<Subject, Instant>> some =
          tracked.subList(from, Math.min(tracked.size(), from + USES_PER_WRITE));
      applications.noteUses(
          some.stream().map(each -> use(each.getKey(), each.getValue())).toList());
      some.forEach(each -> uses.remove(each.getKey(), each.getValue()));
    }
  }

  private static ApplicationUse use(Subject application, Instant at) {
    return new ApplicationUse(application.tenantId(), new ApplicationId(application.id()), at);
  }

  private void recordExpired(Caller caller, LookupRequest identity) {
    String what = identity.acting().isPresent() ? "application" : "API key";
    trail.record(
        AuditTrail.entry(
            caller,
            EntityType.APPLICATION,
            caller.id(),
            Operation.READ,
            "Use of an expired " + what + " denied"));
  }

  /**
   * Returns the failure for a caller that was not found. One that acts without a key is not asked
   * to send one.
   */
  private static RefusedException absent(LookupRequest identity) {
    return identity.acting().isPresent()
        ? new RefusedException(
            FailureCause.PERMISSION_DENIED,
            "The application that the proxy acts as was deleted or has expired.")
        : unauthenticated();
  }

  /**
   * Stores a key's hash under the current hashing key, so that older hashing keys become unused.
   *
   * @param matched the hash by which the key was found
   * @param hashes all hashes of the key, the current one first
   */
  public void renew(TenantId tenantId, KeyHash matched, List<KeyHash> hashes) {
    KeyHash current = hashes.get(0);
    if (matched.version() == current.version()) {
      return;
    }
    try {
      credentials.renew(tenantId, matched, current);
    } catch (RuntimeException notNow) {
      // The key is valid anyway, and its next use tries again.
    }
  }

  /** Returns the failure for a missing, unknown or expired key. */
  public static RefusedException unauthenticated() {
    return new RefusedException(FailureCause.MISSING_OR_INVALID_KEY, "Missing or invalid API key.");
  }

  private void count(Caller caller, Consumer<Subject> found) {
    found.accept(caller.subject());
    count(caller.subject());
  }

  /**
   * Counts a request of an application, or an invocation of a proxy without an API key.
   *
   * @throws RateLimitedException if the limit is exceeded
   */
  public void count(Subject subject) {
    limits.take(subject).ifPresent(this::reject);
  }

  private void reject(Excess excess) {
    if (excess.shouldRecord()) {
      trail.record(entry(excess.subject()));
    }
    throw new RateLimitedException(
        excess.subject().kind() == Kind.APPLICATION
            ? "The application exceeded its rate limit; try again later."
            : "Requests without an API key exceeded the rate limit of this proxy; try again later.",
        excess.retryAfter(),
        allowance(excess.subject()));
  }

  /** Returns what the rate limit leaves to a subject; empty if it has no limit. */
  public Optional<RateAllowance> allowance(Subject subject) {
    return limits.allowance(subject);
  }

  private static AuditEntry entry(Subject subject) {
    boolean known = subject.kind() == Kind.APPLICATION;
    return AuditTrail.entry(
        subject.tenantId(),
        known ? Actor.application(new ApplicationId(subject.id())) : Actor.anonymous(),
        known ? EntityType.APPLICATION : EntityType.PROXY,
        subject.id(),
        known ? Operation.READ : Operation.INVOKE,
        (known ? "Requests" : "Invocations without a key") + " over the rate limit denied");
  }
}
