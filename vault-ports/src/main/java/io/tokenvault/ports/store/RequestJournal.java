package io.tokenvault.ports.store;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.IdempotentRequest;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Requests that their clients may send again, so that none is carried out twice. Two are the same
 * if tenant, application and place are; what is over by the store's clock is not known any more.
 * The package names the laws for every method.
 */
public interface RequestJournal {

  /**
   * Carries a request out, if it is the first: all that {@code work} changes in this thread, in
   * applications, proxies and tokens of the request's tenant, commits together with what it gives,
   * or not at all. What {@code work} records by {@link AuditRecorder} is durable by itself, and
   * {@link RequestLookup} does not see what is not committed. If {@code work} fails, so does this,
   * and nothing is kept.
   *
   * @param room of which as much is taken as is sealed of an earlier response, before more than a
   *     little of it is loaded
   * @return {@link Meeting.First} once it is carried out and committed; otherwise {@code work} was
   *     not called
   */
  Meeting once(IdempotentRequest request, MemoryReservation room, Supplier<Given> work);

  /** The same, however much an earlier response is. */
  default Meeting once(IdempotentRequest request, Supplier<Given> work) {
    return once(request, MemoryReservation.UNBOUNDED, work);
  }

  /**
   * Keeps a request that is about to be carried out elsewhere, where nothing can be undone.
   *
   * @param running for how long it counts as running without another word; then nobody knows what
   *     became of it
   * @param room as for {@link #once}
   * @return {@link Meeting.First} once it is durable
   */
  Meeting announce(IdempotentRequest request, Duration running, MemoryReservation room);

  /** The same, however much an earlier response is. */
  default Meeting announce(IdempotentRequest request, Duration running) {
    return announce(request, running, MemoryReservation.UNBOUNDED);
  }

  /** What an announced request was answered; false if it is not known as running any more. */
  boolean answer(TenantId tenantId, UUID id, Given given);

  /** Forgets an announced request, which was not carried out. */
  void withdraw(TenantId tenantId, UUID id);

  /** Nobody will ever know what became of an announced request. */
  void abandon(TenantId tenantId, UUID id);

  /** Announced requests count as running for this long, from now on. */
  void prolong(Collection<Announced> requests, Duration running);

  /**
   * Forgets requests whose time is over.
   *
   * @param limit how many at the most
   * @return how many were forgotten
   */
  int deleteExpired(int limit);

  /**
   * Deletes answers whose time is over; the requests stay known.
   *
   * @param limit how many at the most
   * @return how many were deleted
   */
  int deleteExpiredAnswers(int limit);

  /** An announced request. */
  record Announced(TenantId tenantId, UUID id) {
    public Announced {
      Objects.requireNonNull(tenantId, "tenantId");
      Objects.requireNonNull(id, "id");
    }
  }

  /**
   * What a request was answered.
   *
   * @param answer empty if it may not be kept
   * @param kept for how long the answer may be given again, if that is shorter than for how long
   *     the request is known
   */
  record Given(
      Optional<EncryptedValue> answer, List<ResponseSubject> subjects, Optional<Duration> kept) {
    public Given {
      Objects.requireNonNull(answer, "answer");
      subjects = List.copyOf(subjects);
      Objects.requireNonNull(kept, "kept");
    }
  }

  /** What a request met with. */
  sealed interface Meeting {

    /** It is the first. */
    record First() implements Meeting {}

    /** The first one is being carried out. */
    record Running() implements Meeting {}

    /** The first one had other content. */
    record Different() implements Meeting {}

    /** The first one was announced, and was not heard of again. */
    record Lost() implements Meeting {}

    /** The tenant has keys that the request was not hashed under. */
    record Stale() implements Meeting {}

    /**
     * The first one was carried out.
     *
     * @param id of the first one
     * @param answer empty if it was not kept, or its time is over
     */
    record Answered(UUID id, Optional<EncryptedValue> answer, List<ResponseSubject> subjects)
        implements Meeting {
      public Answered {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(answer, "answer");
        subjects = List.copyOf(subjects);
      }
    }
  }
}
