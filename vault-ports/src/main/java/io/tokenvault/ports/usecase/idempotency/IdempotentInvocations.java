package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Announced;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.JournalState;
import io.tokenvault.ports.store.RequestJournal.StoredResponse;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes proxy invocations with an idempotency key safe to retry.
 *
 * <p>A request is recorded durably before it is sent to its destination. If its outcome becomes
 * unknown, it is not sent again. Thread-safe.
 */
public final class IdempotentInvocations {

  /**
   * The time after which a request no longer counts as running without a sign of life from its
   * node.
   */
  static final Duration RUNNING_LIMIT = Duration.ofSeconds(20);

  /** The interval at which {@link #prolongRunning} must be called. */
  public static final Duration PROLONG_PERIOD = Duration.ofSeconds(5);

  private final RequestJournal journal;
  private final TokenHasher hasher;
  private final ResponseCipher responseCipher;
  private final boolean bodies;
  private final Set<Announced> running = ConcurrentHashMap.newKeySet();

  /**
   * Creates the use case.
   *
   * @param bodies whether responses are recorded with headers and body, rather than their status
   *     only
   */
  public IdempotentInvocations(
      RequestJournal journal, TokenHasher hasher, ResponseCipher responseCipher, boolean bodies) {
    this.journal = journal;
    this.hasher = hasher;
    this.responseCipher = responseCipher;
    this.bodies = bodies;
  }

  /** Returns whether responses are recorded with headers and body. */
  public boolean keepsBodies() {
    return bodies;
  }

  /**
   * Checks that the caller has an API key, which identifies retries of a request.
   *
   * @param header the name of the idempotency header
   * @throws ValidationException for a caller without a key
   */
  public static void requireKey(Admission admission, String header) {
    if (admission.caller().isEmpty()) {
      throw ValidationException.of(header, "is only for requests with an API key");
    }
  }

  /**
   * Records durably that a request is about to be sent. Call it after {@link
   * ProxyInvocations#begin} recorded the invocation, which authorizes a retry exactly like the
   * first request.
   *
   * @param reservation the memory reservation for an earlier response
   * @throws RefusedException if the first request is still running, had other content under this
   *     idempotency key, or has an unknown outcome; each has its own cause
   */
  public Intent announce(Admission admission, SentRequest sent, MemoryReservation reservation) {
    Caller caller = admission.caller().orElseThrow();
    IdempotentRequest request = sent.hashed(hasher, caller);
    JournalState state =
        journal.announce(request, RUNNING_LIMIT, AttemptReservation.toShow(reservation).toLoad());
    if (state instanceof JournalState.First) {
      Announced announced = new Announced(request.tenantId(), request.id());
      running.add(announced);
      return new Intent(caller, announced, Optional.empty());
    }
    if (state instanceof JournalState.Completed response) {
      RecordedResponse earlier =
          response
              .encrypted()
              .map(each -> responseCipher.decrypt(caller.keys(), response.id(), each, List.of()))
              .orElseThrow(IdempotentRequests::responseExpired);
      return new Intent(
          caller, new Announced(request.tenantId(), response.id()), Optional.of(earlier));
    }
    throw IdempotentRequests.refusal(state);
  }

  /** Extends the running time of all requests that this node has announced and not ended. */
  public void prolongRunning() {
    List<Announced> now = List.copyOf(running);
    if (!now.isEmpty()) {
      journal.prolong(now, RUNNING_LIMIT);
    }
  }

  /**
   * A recorded request. Call exactly one of {@link #complete}, {@link #withdraw} and {@link
   * #abandon} for the first of its kind. Not thread-safe.
   */
  public final class Intent {

    private final Caller caller;
    private final Announced announced;
    private final Optional<RecordedResponse> earlier;

    private Intent(Caller caller, Announced announced, Optional<RecordedResponse> earlier) {
      this.caller = caller;
      this.announced = announced;
      this.earlier = earlier;
    }

    /** Returns the response to replay; empty if the request is the first of its kind. */
    public Optional<RecordedResponse> earlier() {
      return earlier;
    }

    /**
     * Records the response. If that fails, the outcome counts as unknown for a retry.
     *
     * @param response the response, with headers and body only if {@link #keepsBodies} returns true
     */
    public void complete(RecordedResponse response) {
      end(
          () -> {
            StoredResponse stored =
                new StoredResponse(
                    Optional.of(responseCipher.encrypt(caller.keys(), announced.id(), response)),
                    List.of(),
                    Optional.empty());
            journal.complete(announced.tenantId(), announced.id(), stored);
          });
    }

    /**
     * Records that the request was certainly not sent; a retry then counts as the first request.
     */
    public void withdraw() {
      end(() -> journal.withdraw(announced.tenantId(), announced.id()));
    }

    /** Records that the request may have been sent and that its outcome is unknown. */
    public void abandon() {
      end(() -> journal.abandon(announced.tenantId(), announced.id()));
    }

    /**
     * Ends the request. If the record fails, the request expires as one with an unknown outcome,
     * which no retry sends again.
     */
    private void end(Runnable note) {
      try {
        note.run();
      } catch (RuntimeException notNow) {
        // The request has ended anyway, and has its entries in the audit log.
        return;
      } finally {
        running.remove(announced);
      }
    }
  }
}
