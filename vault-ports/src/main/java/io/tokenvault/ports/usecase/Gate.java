package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.ActingApplication;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Loaded.LoadedCaller;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.RecentLookup;
import io.tokenvault.ports.spi.RecentLookup.Recalled;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.usecase.Caller.Bounds;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The way in: turns an API key into a {@link Caller}. The key is checked against the store on every
 * request, so that a changed right or an ended key holds on every node from the next request on.
 */
public final class Gate {

  private final RequestLookup lookup;
  private final RecentLookup recent;
  private final KeyHasher hasher;
  private final CredentialStore credentials;
  private final AuditTrail trail;

  /** One that remembers nobody. */
  public Gate(
      RequestLookup lookup, KeyHasher hasher, CredentialStore credentials, AuditRecorder recorder) {
    this(lookup, RecentLookup.forgetful(lookup), hasher, credentials, recorder);
  }

  /**
   * @param recent for callers that are recognised
   */
  public Gate(
      RequestLookup lookup,
      RecentLookup recent,
      KeyHasher hasher,
      CredentialStore credentials,
      AuditRecorder recorder) {
    this.lookup = lookup;
    this.recent = recent;
    this.hasher = hasher;
    this.credentials = credentials;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Checks key and permission, before anything else of a request is looked at.
   *
   * @param presentedKey the key as it was sent; empty if none was
   * @throws RefusedException if there is no valid key, or what is required is not granted, which is
   *     recorded
   */
  public Caller admit(Optional<String> presentedKey, Requirement requirement) {
    Caller caller = identify(presentedKey);
    trail.require(caller, requirement);
    return caller;
  }

  /**
   * The same from memory where it can: for use cases that confirm it before anything happens. A
   * caller that is refused was looked up.
   *
   * @throws RefusedException as {@link #admit}
   */
  public RecognisedCaller recognise(Optional<String> presentedKey, Requirement requirement) {
    List<KeyHash> hashes = hashes(presentedKey.orElseThrow(Gate::unauthenticated));
    Lookup identity = Lookup.caller(hashes);
    Recalled recalled = recent.recall(identity);
    if (recalled.isRemembered()) {
      Caller remembered = remembered(recalled.loaded(), identity, Bounds.NONE);
      RecognisedCaller recognised =
          new RecognisedCaller(remembered, requirement, Standing.provisional());
      if (!requirement.isMetBy(remembered)) {
        confirm(recognised);
      }
      return recognised;
    }
    Caller caller = caller(recalled.loaded(), hashes);
    trail.require(caller, requirement);
    return new RecognisedCaller(caller, requirement, Standing.settled());
  }

  /**
   * The caller as of now, if that was not found out yet.
   *
   * @throws RefusedException as {@link #admit}
   */
  public Caller confirm(RecognisedCaller recognised) {
    if (recognised.standing().isProvisional()) {
      recent.forget(recognised.caller().identity());
      Caller present = again(recognised.caller());
      trail.require(present, recognised.requirement());
      recognised.confirm(present);
    }
    return recognised.caller();
  }

  Recalled recall(Lookup wanted) {
    return recent.recall(wanted);
  }

  void forget(Lookup known) {
    recent.forget(known);
  }

  /** The same caller as of a look-up that may be outdated. */
  Caller remembered(Caller caller, Loaded recalled) {
    return remembered(recalled, caller.identity(), caller.bounds());
  }

  /** By these hashes, as of a look-up that may be outdated. */
  Caller remembered(Loaded recalled, List<KeyHash> hashes) {
    return remembered(recalled, Lookup.caller(hashes), Bounds.NONE);
  }

  /** Records nothing. */
  private static Caller remembered(Loaded recalled, Lookup identity, Bounds bounds) {
    LoadedCaller found =
        recalled.caller().filter(each -> !each.expired()).orElseThrow(() -> absent(identity));
    return new Caller(found, identity, bounds, recalled.now());
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

  private Caller identify(Optional<String> presentedKey) {
    List<KeyHash> hashes = hashes(presentedKey.orElseThrow(Gate::unauthenticated));
    Lookup identity = Lookup.caller(hashes);
    return caller(lookup.load(identity), identity, Bounds.NONE);
  }

  /** The hashes to look a key up by. */
  List<KeyHash> hashes(String presentedKey) {
    return ApiKey.parse(presentedKey).map(hasher::hashes).orElseThrow(Gate::unauthenticated);
  }

  /** The caller that a look-up by these hashes found, if its key is good now. */
  Caller caller(Loaded loaded, List<KeyHash> hashes) {
    return caller(loaded, Lookup.caller(hashes), Bounds.NONE);
  }

  /** The same caller as of a later look-up, if it may still act. */
  Caller again(Caller caller, Loaded loaded) {
    return caller(loaded, caller.identity(), caller.bounds());
  }

  /** The same caller as of now, if it may still act. */
  Caller again(Caller caller) {
    return again(caller, lookup.load(caller.identity()));
  }

  /**
   * An application that acts without its key.
   *
   * @throws RefusedException if it is gone or its time is over
   */
  Caller acting(ActingApplication application, Bounds bounds) {
    Lookup identity = Lookup.acting(application, Set.of());
    return caller(lookup.load(identity), identity, bounds);
  }

  private Caller caller(Loaded loaded, Lookup identity, Bounds bounds) {
    LoadedCaller found = loaded.caller().orElseThrow(() -> absent(identity));
    Caller caller = new Caller(found, identity, bounds, loaded.now());
    if (found.expired()) {
      recordExpired(caller, identity);
      throw absent(identity);
    }
    found.matched().ifPresent(matched -> renew(caller.tenantId(), matched, identity.apiKey()));
    return caller;
  }

  private void recordExpired(Caller caller, Lookup identity) {
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

  /** Who acts without a key is not told to send one. */
  private static RefusedException absent(Lookup identity) {
    return identity.acting().isPresent()
        ? new RefusedException(
            FailureCause.PERMISSION_DENIED,
            "The application that the proxy acts as is gone or has expired.")
        : unauthenticated();
  }

  /**
   * Sees to it that a key is found by a hash under the current hashing key, so that older ones come
   * out of use.
   *
   * @param matched the hash that it was found by
   * @param hashes all hashes of the key, the current one first
   */
  void renew(TenantId tenantId, KeyHash matched, List<KeyHash> hashes) {
    KeyHash current = hashes.get(0);
    if (matched.version() == current.version()) {
      return;
    }
    try {
      credentials.renew(tenantId, matched, current);
    } catch (RuntimeException notNow) {
      // The key is good all the same, and its next use tries again.
    }
  }

  static RefusedException unauthenticated() {
    return new RefusedException(
        FailureCause.MISSING_OR_INVALID_KEY,
        "Send the API key of an application, which has not been replaced and has not expired.");
  }
}
