package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.LookupCache.Recalled;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.memory.AttemptReservation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Executes decisions that depend on versions, and repeats a decision if a version changed before
 * its entries were recorded.
 */
public final class OptimisticExecutor {

  private static final int MAX = 20;

  private final RequestLookup lookup;
  private final Authenticator gate;
  private final AuditTrail trail;

  public OptimisticExecutor(RequestLookup lookup, Authenticator gate, AuditTrail trail) {
    this.lookup = lookup;
    this.gate = gate;
    this.trail = trail;
  }

  /** Decides on the records of a look-up; refuses by exceptions. */
  public interface Deciding<T> {
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
  public static <T> T untilDecidedOnWhatHolds(Supplier<Optional<T>> attempt) {
    for (int i = 0; i < MAX; i++) {
      Optional<T> result = attempt.get();
      if (result.isPresent()) {
        return result.get();
      }
    }
    throw outdated();
  }

  /** Returns the failure for a request whose data keeps changing. */
  public static RefusedException outdated() {
    return new RefusedException(
        FailureCause.OVERLOADED, "What this request needs keeps changing; try again.");
  }

  /**
   * Decides on cached data if the caller is a {@link CachedCaller}, and on current data otherwise
   * or if the cached data is outdated.
   *
   * @param need reserves memory for the tokens before they are loaded
   */
  public <T> T decide(
      AuthenticatedCaller caller, Set<TokenId> ids, AttemptReservation need, Deciding<T> deciding) {
    Optional<T> result =
        caller instanceof CachedCaller recognised
            ? onWhatIsRemembered(recognised.caller(), ids, need, deciding)
            : Optional.empty();
    return result.orElseGet(() -> onWhatHolds(gate.confirm(caller), ids, need, deciding));
  }

  /**
   * Decides on current data.
   *
   * @param need reserves memory for the tokens before they are loaded
   */
  public <T> T onWhatHolds(
      Caller caller, Set<TokenId> ids, AttemptReservation need, Deciding<T> deciding) {
    return untilDecidedOnWhatHolds(
        () -> {
          LookupResult loaded = lookup.load(caller.with(ids), need.toLoad());
          return record(deciding.decide(gate.callers().again(caller, loaded), loaded));
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
  public <T> Optional<T> onWhatIsRemembered(
      Caller caller, Set<TokenId> ids, AttemptReservation need, Deciding<T> deciding) {
    LookupRequest wanted = caller.with(ids);
    Recalled recalled = gate.callers().recall(wanted, need.toLoad());
    Optional<Decided<T>> decided =
        caller.standing().isProvisional() || recalled.isRemembered()
            ? tryToDecide(caller, recalled, need, deciding)
            : Optional.of(decideFinally(caller, recalled.loaded(), deciding));
    Optional<T> result = decided.flatMap(each -> confirm(caller.standing(), each, wanted));
    if (result.isEmpty()) {
      gate.callers().forget(wanted);
    }
    return result;
  }

  private <T> Decided<T> decideFinally(Caller caller, LookupResult loaded, Deciding<T> deciding) {
    return deciding.decide(gate.callers().again(caller, loaded), loaded);
  }

  private <T> Optional<Decided<T>> tryToDecide(
      Caller caller, Recalled recalled, AttemptReservation need, Deciding<T> deciding) {
    LookupResult loaded = recalled.loaded();
    try {
      if (recalled.isRemembered()) {
        need.toLoad().take(loaded.size());
      }
      Caller present = gate.callers().remembered(loaded, caller.identity(), caller.bounds());
      if (!loaded.tokens().values().stream().allMatch(each -> hasKeys(present.keys(), each))) {
        return Optional.empty(); // The cached keys are older than the token.
      }
      // A decision without entries would not be confirmed.
      return Optional.of(deciding.decide(present, loaded))
          .filter(each -> !each.entries().isEmpty());
    } catch (VaultException onlyFromMemory) {
      return Optional.empty();
    }
  }

  private <T> Optional<T> confirm(
      DecisionState standing, Decided<T> decided, LookupRequest wanted) {
    if (!confirm(standing, decided.entries(), decided.versions())) {
      return Optional.empty();
    }
    try {
      return Optional.of(decided.result().get());
    } catch (RuntimeException unopened) {
      gate.callers().forget(wanted);
      throw unopened;
    }
  }

  /** Records entries on condition of the versions; false if a precondition no longer holds. */
  public boolean confirm(DecisionState standing, List<AuditEntry> entries, Preconditions versions) {
    boolean stale = false;
    try {
      stale = !trail.record(entries, versions);
      return !stale;
    } finally {
      if (!stale) {
        standing.settle();
      }
    }
  }

  /**
   * Records entries on condition of the versions, where the decision cannot be repeated.
   *
   * @throws RefusedException if a precondition no longer holds
   */
  public void confirmOrRefuse(
      DecisionState standing, List<AuditEntry> entries, Preconditions versions) {
    if (!confirm(standing, entries, versions)) {
      throw new RefusedException(
          FailureCause.OVERLOADED, "The key or the proxy was changed meanwhile; try again.");
    }
  }

  /** Returns whether the keys include those of all encrypted fields of a token. */
  public static boolean hasKeys(TenantKeys keys, StoredToken stored) {
    return hasKey(keys, stored.data())
        && stored.shortLived().map(each -> hasKey(keys, each)).orElse(true)
        && stored.expressions().map(each -> hasKey(keys, each)).orElse(true);
  }

  private static boolean hasKey(TenantKeys keys, EncryptedValue sealed) {
    return keys.version(KeyPurpose.DATA, sealed.keyVersion()).isPresent();
  }
}
