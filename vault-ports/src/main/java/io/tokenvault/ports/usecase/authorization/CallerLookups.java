package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.store.LookupCache.Recalled;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds callers in the store or the cache. Whether a caller may proceed is decided by the {@link
 * Authenticator}.
 */
public final class CallerLookups {

  private final RequestLookup lookup;
  private final LookupCache recent;
  private final KeyHasher hasher;
  private final CredentialStore credentials;
  private final AuditTrail trail;
  private final BiConsumer<Application, Instant> notice;

  /** Creates the look-ups; {@link Authenticator} documents the parameters. */
  CallerLookups(
      RequestLookup lookup,
      LookupCache recent,
      KeyHasher hasher,
      CredentialStore credentials,
      AuditTrail trail,
      BiConsumer<Application, Instant> notice) {
    this.lookup = lookup;
    this.recent = recent;
    this.hasher = hasher;
    this.credentials = credentials;
    this.trail = trail;
    this.notice = notice;
  }

  /**
   * Returns the hashes by which a key is looked up.
   *
   * @throws RefusedException if the string is not an API key
   */
  public List<KeyHash> hashes(String presentedKey) {
    return ApiKey.parse(presentedKey)
        .map(hasher::hashes)
        .orElseThrow(CallerLookups::unauthenticated);
  }

  /** Looks up records without tokens, in the cache where possible. */
  public Recalled recall(LookupRequest wanted) {
    return recall(wanted, MemoryReservation.UNBOUNDED);
  }

  Recalled recall(LookupRequest wanted, MemoryReservation room) {
    return recent.recall(wanted, room);
  }

  /** Removes a look-up from the cache. */
  public void forget(LookupRequest known) {
    recent.forget(known);
  }

  /** Returns the caller of a look-up that may be outdated; records nothing. */
  public Caller remembered(LookupResult recalled, LookupRequest identity, Bounds bounds) {
    LoadedCaller found =
        recalled.caller().filter(each -> !each.expired()).orElseThrow(() -> absent(identity));
    return new Caller(found, identity, bounds, recalled.now(), DecisionState.provisional());
  }

  /** Looks the caller up in the store and returns it if its key is valid. */
  Caller load(LookupRequest identity) {
    return caller(lookup.load(identity), identity);
  }

  /** Returns the caller of a current look-up if its key is valid. */
  public Caller caller(LookupResult loaded, LookupRequest identity) {
    return caller(loaded, identity, Bounds.NONE);
  }

  /** Returns a caller on the data of a later look-up, if it may still act. */
  public Caller again(Caller caller, LookupResult loaded) {
    return caller(loaded, caller.identity(), caller.bounds());
  }

  /** Returns a caller on current data, if it may still act. */
  public Caller again(Caller caller) {
    return again(caller, lookup.load(caller.identity()));
  }

  /**
   * Returns an application that acts without its key.
   *
   * @throws RefusedException if it does not exist or has expired
   */
  public Caller acting(ActingApplication application, Bounds bounds) {
    LookupRequest identity = LookupRequest.acting(application, Set.of());
    return caller(lookup.load(identity), identity, bounds);
  }

  private Caller caller(LookupResult loaded, LookupRequest identity, Bounds bounds) {
    LoadedCaller found = loaded.caller().orElseThrow(() -> absent(identity));
    Caller caller = new Caller(found, identity, bounds, loaded.now(), DecisionState.settled());
    if (found.expired()) {
      recordExpired(caller, identity);
      throw absent(identity);
    }
    notice.accept(found.application(), loaded.now());
    found.matched().ifPresent(matched -> renew(caller.tenantId(), matched, identity.apiKey()));
    return caller;
  }

  private void recordExpired(Caller caller, LookupRequest identity) {
    String what = identity.acting().isPresent() ? "application" : "API key";
    AuditEntry entry =
        AuditTrail.entry(
            caller,
            EntityType.APPLICATION,
            caller.id(),
            Operation.READ,
            "Use of an expired " + what + " denied");
    trail.record(List.of(entry));
  }

  /**
   * Returns the failure for a caller that was not found. One that acts without a key is not asked
   * to send one.
   */
  private static RefusedException absent(LookupRequest identity) {
    return identity.acting().isPresent()
        ? new RefusedException(
            FailureCause.PERMISSION_DENIED,
            "The application that the proxy acts as is gone or has expired.")
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
    return new RefusedException(
        FailureCause.MISSING_OR_INVALID_KEY,
        "Send the API key of an application, which has not been replaced and has not expired.");
  }
}
