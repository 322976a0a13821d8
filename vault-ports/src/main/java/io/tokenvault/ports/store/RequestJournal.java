package io.tokenvault.ports.store;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Records idempotent requests, so that none is executed twice.
 *
 * <p>Two requests are identical if tenant, application and place are equal. A request that has
 * expired by the store's clock is unknown. The package documentation states the laws for every
 * method.
 */
public interface RequestJournal {

  /**
   * Executes a request if it is the first of its kind.
   *
   * <p>All changes that {@code work} makes in this thread to applications, proxies and tokens of
   * the request's tenant commit together with its result, or not at all. Entries that {@code work}
   * records through {@link AuditRecorder} are durable when this method returns or throws, also if
   * the changes are not. {@link RequestLookup} need not see uncommitted changes. If {@code work}
   * throws, so does this method, and nothing else is stored.
   *
   * @param reservation reserves as many bytes as an earlier response has in encrypted form, before
   *     more than a small part of it is loaded
   * @param work executes the request and returns its response
   * @return {@link JournalState.First} after the request was executed and committed; otherwise
   *     {@code work} was not called
   */
  JournalState once(
      IdempotentRequest request, MemoryReservation reservation, Supplier<StoredResponse> work);

  /**
   * Records a request that is about to be executed outside the store, where nothing can be rolled
   * back.
   *
   * @param running how long the request counts as running unless that is prolonged; after that its
   *     outcome is unknown
   * @param reservation as for {@link #once}
   * @return {@link JournalState.First} once the request is durable
   */
  JournalState announce(IdempotentRequest request, Duration running, MemoryReservation reservation);

  /**
   * Stores the response to an announced request.
   *
   * @return false if the request no longer counts as running
   */
  boolean complete(TenantId tenantId, UUID id, StoredResponse response);

  /** Deletes an announced request that was not executed. */
  void withdraw(TenantId tenantId, UUID id);

  /** Marks the outcome of an announced request as permanently unknown. */
  void abandon(TenantId tenantId, UUID id);

  /** Extends the running time of announced requests to this duration from now on. */
  void prolong(Collection<Announced> requests, Duration running);

  /**
   * Deletes expired requests.
   *
   * @param limit the maximum number of requests to delete
   * @return the number of deleted requests
   */
  int deleteExpired(int limit);

  /**
   * Deletes expired responses; their requests stay recorded.
   *
   * @param limit the maximum number of responses to delete
   * @return the number of deleted responses
   */
  int deleteExpiredResponses(int limit);

  /** The identity of an announced request. */
  record Announced(TenantId tenantId, UUID id) {}

  /**
   * The stored form of the response to a request.
   *
   * @param encrypted the encrypted response; empty if it must not be stored
   * @param subjects the resources that the response shows
   * @param retention how long the response may be replayed, if that is shorter than the request
   *     stays recorded
   */
  record StoredResponse(
      Optional<EncryptedValue> encrypted,
      List<ResponseSubject> subjects,
      Optional<Duration> retention) {
    public StoredResponse {
      subjects = List.copyOf(subjects);
    }
  }

  /** The state in which a request found the journal. */
  sealed interface JournalState {

    /** The request is the first of its kind. */
    record First() implements JournalState {}

    /** The first request is still being executed. */
    record Running() implements JournalState {}

    /** The first request had other content. */
    record Different() implements JournalState {}

    /** The first request was announced, and its outcome is unknown. */
    record Lost() implements JournalState {}

    /** The tenant has keys under which the request was not hashed. */
    record Stale() implements JournalState {}

    /**
     * The first request was executed.
     *
     * @param id the id of the first request
     * @param encrypted the encrypted response; empty if it was not stored or has expired
     * @param subjects the resources that the response shows
     */
    record Completed(UUID id, Optional<EncryptedValue> encrypted, List<ResponseSubject> subjects)
        implements JournalState {
      public Completed {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(encrypted, "encrypted");
        subjects = List.copyOf(subjects);
      }
    }
  }

  /**
   * A request with an idempotency key. The store receives only keyed hashes of it.
   *
   * @param id the id under which the request is recorded if it is the first
   * @param places hashes of method, path and idempotency key, under every version of the tenant's
   *     key, the current one first
   * @param contents hashes of the rest of the request, in an equal order
   * @param keyCount the number of the tenant's keys; a hash under a newer key would not find the
   *     request
   * @param retention how long the request stays recorded after it was received
   */
  record IdempotentRequest(
      TenantId tenantId,
      ApplicationId applicationId,
      UUID id,
      List<TokenHash> places,
      List<TokenHash> contents,
      int keyCount,
      Duration retention) {

    public IdempotentRequest {
      places = List.copyOf(places);
      contents = List.copyOf(contents);
      if (places.isEmpty() || contents.isEmpty()) {
        throw new IllegalArgumentException("a request is found and compared by hashes");
      }
    }

    /** Returns the place under the oldest key, which no added key changes. */
    public String oldestPlace() {
      return places.get(places.size() - 1).hex();
    }
  }
}
