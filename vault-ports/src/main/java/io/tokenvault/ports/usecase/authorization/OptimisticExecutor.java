package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupCache.Found;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Executes decisions that depend on versions, and repeats a decision if a version changed before
 * its entries were recorded.
 */
public final class OptimisticExecutor {

  private static final int MAX_ATTEMPTS = 20;

  private final RequestLookup lookup;
  private final Authenticator authenticator;
  private final AuditTrail trail;

  public OptimisticExecutor(RequestLookup lookup, Authenticator authenticator, AuditTrail trail) {
    this.lookup = lookup;
    this.authenticator = authenticator;
    this.trail = trail;
  }

  /** Decides on the records of a look-up; refuses by exceptions. */
  public interface Decider<T> {
    Decided<T> decide(Caller present, LookupResult loaded);
  }

  /**
   * A decision.
   *
   * @param entries recorded on condition of the versions; empty if there is nothing to record
   * @param versions the preconditions of the decision
   * @param result computed once the entries are durable
   */
  public record Decided<T>(List<AuditEntry> entries, Preconditions versions, Supplier<T> result) {}

  /**
   * Repeats an attempt until its preconditions hold, up to 20 times.
   *
   * @param attempt loads, decides and executes; empty if a precondition no longer holds
   * @throws RefusedException if no attempt succeeds
   */
  public static <T> T repeatWhileOutdated(Supplier<Optional<T>> attempt) {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Optional<T> result = attempt.get();
      if (result.isPresent()) {
        return result.get();
      }
    }
    throw outdated();
  }

  /**
   * Reads a resource and changes the version that was read; repeats both if another change came
   * between them, up to 20 times.
   *
   * @param expected the version that the resource must have
   * @param change receives the resource and the version that was read, and fails with cause {@code
   *     PRECONDITION_FAILED} if the resource has another one by then
   * @throws RefusedException if the resource has another version than expected, or no attempt
   *     succeeds
   */
  public static <R, T> T readAndChange(
      Supplier<R> read,
      ToLongFunction<R> version,
      ExpectedVersion expected,
      BiFunction<R, ExpectedVersion, T> change) {
    return repeatWhileOutdated(
        () -> {
          R resource = read.get();
          long present = version.applyAsLong(resource);
          expected.require(present);
          return tryToChange(() -> change.apply(resource, ExpectedVersion.exactly(present)));
        });
  }

  private static <T> Optional<T> tryToChange(Supplier<T> change) {
    try {
      return Optional.of(change.get());
    } catch (RefusedException refused) {
      if (refused.failure() == FailureCause.PRECONDITION_FAILED) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** Returns the failure for a request whose data keeps changing. */
  public static RefusedException outdated() {
    return new RefusedException(
        FailureCause.OVERLOADED, "Data that this request uses keeps changing; try again.");
  }

  /**
   * Decides on cached data if the caller is a {@link CachedCaller}, and on current data otherwise
   * or if the cached data is outdated.
   *
   * @param memory reserves memory for the tokens before they are loaded
   */
  public <T> T decide(
      AuthenticatedCaller caller, Set<TokenId> ids, AttemptReservation memory, Decider<T> decider) {
    Optional<T> result =
        caller instanceof CachedCaller cached
            ? decideOnCached(cached.caller(), ids, memory, decider)
            : Optional.empty();
    return result.orElseGet(
        () -> decideOnCurrent(authenticator.confirm(caller), ids, memory, decider));
  }

  /**
   * Decides on current data.
   *
   * @param memory reserves memory for the tokens before they are loaded
   */
  public <T> T decideOnCurrent(
      Caller caller, Set<TokenId> ids, AttemptReservation memory, Decider<T> decider) {
    return repeatWhileOutdated(
        () -> {
          LookupResult loaded = lookup.load(caller.with(ids), memory.toLoad());
          return record(decider.decide(authenticator.reload(caller, loaded), loaded));
        });
  }

  private <T> Optional<T> record(Decided<T> decided) {
    return decided.entries().isEmpty() || trail.record(decided.entries(), decided.versions())
        ? Optional.of(decided.result().get())
        : Optional.empty();
  }

  /**
   * Decides on cached data as far as there is any.
   *
   * @return empty if the decision must be repeated because it was a refusal or its preconditions do
   *     not hold; then nothing was recorded, and the records are removed from the cache
   */
  public <T> Optional<T> decideOnCached(
      Caller caller, Set<TokenId> ids, AttemptReservation memory, Decider<T> decider) {
    LookupRequest wanted = caller.with(ids);
    Found found = authenticator.lookUpCached(wanted, memory.toLoad());
    Optional<Decided<T>> decided =
        caller.isProvisional() || found.isCached()
            ? tryToDecide(caller, found, memory, decider)
            : Optional.of(
                decider.decide(authenticator.reload(caller, found.loaded()), found.loaded()));
    Optional<T> result = decided.flatMap(each -> confirm(caller, each, wanted));
    if (result.isEmpty()) {
      authenticator.evict(wanted);
    }
    return result;
  }

  private <T> Optional<Decided<T>> tryToDecide(
      Caller caller, Found found, AttemptReservation memory, Decider<T> decider) {
    LookupResult loaded = found.loaded();
    try {
      if (found.isCached()) {
        memory.toLoad().take(loaded.size());
      }
      Caller present = authenticator.cachedCaller(loaded, caller.identity(), caller.bounds());
      for (StoredToken token : loaded.tokens().values()) {
        if (!hasKeys(present.keys(), token)) {
          return Optional.empty(); // The cached keys are older than the token.
        }
      }
      Decided<T> decided = decider.decide(present, loaded);
      // A decision without entries would not be confirmed.
      return decided.entries().isEmpty() ? Optional.empty() : Optional.of(decided);
    } catch (VaultException onCachedData) {
      return Optional.empty();
    }
  }

  private <T> Optional<T> confirm(Caller caller, Decided<T> decided, LookupRequest wanted) {
    if (!decided.entries().isEmpty()
        && !confirm(caller::endProvisional, decided.entries(), decided.versions())) {
      return Optional.empty();
    }
    try {
      return Optional.of(decided.result().get());
    } catch (RuntimeException failure) {
      authenticator.evict(wanted);
      throw failure;
    }
  }

  /**
   * Records entries on condition of the versions.
   *
   * @param endProvisional called unless nothing was recorded for certain
   * @return false if a precondition no longer holds
   */
  private boolean confirm(
      Runnable endProvisional, List<AuditEntry> entries, Preconditions versions) {
    boolean stale = false;
    try {
      stale = !trail.record(entries, versions);
      return !stale;
    } finally {
      if (!stale) {
        endProvisional.run();
      }
    }
  }

  /**
   * Records entries on condition of the versions, where the decision cannot be repeated.
   *
   * @param endProvisional called unless nothing was recorded for certain
   * @throws RefusedException if a precondition no longer holds
   */
  public void confirmOrRefuse(
      Runnable endProvisional, List<AuditEntry> entries, Preconditions versions) {
    if (!confirm(endProvisional, entries, versions)) {
      throw new RefusedException(
          FailureCause.OVERLOADED,
          "The API key or the proxy was changed during the request; try again.");
    }
  }

  /** Returns whether the keys include those of all encrypted fields of a token. */
  public static boolean hasKeys(TenantKeys keys, StoredToken stored) {
    return hasKey(keys, stored.data())
        && stored.shortLived().map(each -> hasKey(keys, each)).orElse(true)
        && stored.expressions().map(each -> hasKey(keys, each)).orElse(true);
  }

  private static boolean hasKey(TenantKeys keys, EncryptedValue value) {
    return keys.version(KeyPurpose.DATA, value.keyVersion()).isPresent();
  }

  /**
   * The memory that one call reserves for tokens across its retries: memory reserved for an earlier
   * attempt counts toward the next one. Not thread-safe.
   */
  public static final class AttemptReservation implements MemoryReservation {

    /**
     * The memory that showing a token or proxy takes, as a multiple of its encrypted size: as it
     * was read and received, decrypted, as JSON, and in the response while it is written.
     */
    public static final int TO_SHOW = 6;

    /**
     * The memory that returning raw data takes, as a multiple of its encrypted size. The recipient
     * reserves memory for the request that it puts the data into.
     */
    static final int TO_USE = 4;

    private final MemoryReservation memory;
    private final int times;
    private long taken;
    private long asked;

    private AttemptReservation(MemoryReservation memory, int times) {
      this.memory = memory;
      this.times = times;
    }

    /** Returns a reservation for tokens that are shown. */
    public static AttemptReservation toShow(MemoryReservation memory) {
      return new AttemptReservation(memory, TO_SHOW);
    }

    /** Returns a reservation for tokens whose raw data is returned. */
    public static AttemptReservation toUse(MemoryReservation memory) {
      return new AttemptReservation(memory, TO_USE);
    }

    /** Begins an attempt and returns the reservation for the tokens that it loads. */
    public MemoryReservation toLoad() {
      asked = 0;
      return bytes -> take(Math.multiplyExact(bytes, (long) times));
    }

    @Override
    public void take(long bytes) {
      asked += bytes;
      if (asked > taken) {
        memory.take(asked - taken);
        taken = asked;
      }
    }
  }
}
