package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Announced;
import io.tokenvault.ports.store.RequestJournal.Given;
import io.tokenvault.ports.store.RequestJournal.Meeting;
import io.tokenvault.ports.store.model.IdempotentRequest;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.memory.AttemptReservation;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Invocations of the proxy that their clients may ask for again. What is about to be sent is noted
 * durably before; if nobody can tell any more what became of it, it is not sent again.
 */
public final class IdempotentInvocations {

  /** For how long a node that is not heard of is taken for one that works. */
  static final Duration RUNNING = Duration.ofSeconds(20);

  /** How often {@link #showRunning} is to be called. */
  public static final Duration SHOW = Duration.ofSeconds(5);

  private final RequestJournal journal;
  private final RequestHasher requests;
  private final ResponseCipher seals;
  private final boolean bodies;
  private final Set<Announced> running = ConcurrentHashMap.newKeySet();

  /**
   * @param bodies whether the answers of destinations are kept, and not their status only
   */
  public IdempotentInvocations(
      RequestJournal journal, TokenHasher hasher, ResponseCipher seals, boolean bodies) {
    this.journal = journal;
    this.requests = new RequestHasher(hasher, RequestHasher.KEPT);
    this.seals = seals;
    this.bodies = bodies;
  }

  /** Whether answers are kept with headers and body. */
  public boolean keepsBodies() {
    return bodies;
  }

  /**
   * Only who has a key can have sent a request before.
   *
   * @param header the name of the header that asks for it
   * @throws ValidationException for a caller without a key
   */
  public static void requireKey(Admission admission, String header) {
    if (admission.caller().isEmpty()) {
      throw ValidationException.of(header, "is only for requests with an API key");
    }
  }

  /**
   * Notes durably that a request is about to be sent. To be called when the invocation was recorded
   * by {@link ProxyInvocations#begin}, which authorises a repeat like the first request.
   *
   * @param room for an earlier response
   * @throws RefusedException of a cause of its own while the first one runs, for another request
   *     under the same key, and if nobody knows what became of the first one
   */
  public Intent announce(Admission admission, SentRequest sent, MemoryReservation room) {
    Caller caller = admission.caller().orElseThrow();
    IdempotentRequest request = requests.of(caller, sent);
    Meeting met = journal.announce(request, RUNNING, room.times(AttemptReservation.TO_SHOW));
    if (met instanceof Meeting.First) {
      Announced announced = new Announced(request.tenantId(), request.id());
      running.add(announced);
      return new Intent(caller, announced, Optional.empty());
    }
    if (met instanceof Meeting.Answered answered) {
      RecordedResponse earlier =
          answered
              .answer()
              .map(each -> seals.open(caller.keys(), answered.id(), each, List.of()))
              .orElseThrow(ResponseReplay::gone);
      return new Intent(
          caller, new Announced(request.tenantId(), answered.id()), Optional.of(earlier));
    }
    throw RequestHasher.refusal(met);
  }

  Intent announce(Admission admission, SentRequest sent) {
    return announce(admission, sent, MemoryReservation.UNBOUNDED);
  }

  /** Says of all requests that this node has announced that they still run. */
  public void showRunning() {
    List<Announced> now = List.copyOf(running);
    if (!now.isEmpty()) {
      journal.prolong(now, RUNNING);
    }
  }

  /** A request that was noted. For one thread. */
  public final class Intent {

    private final Caller caller;
    private final Announced announced;
    private final Optional<RecordedResponse> earlier;

    private Intent(Caller caller, Announced announced, Optional<RecordedResponse> earlier) {
      this.caller = caller;
      this.announced = announced;
      this.earlier = earlier;
    }

    /** What the request was answered before; empty if it is the first. */
    public Optional<RecordedResponse> earlier() {
      return earlier;
    }

    /**
     * The answer came. If it cannot be noted, a repeat will be told that nobody knows.
     *
     * @param kept with headers and body only if {@link #keepsBodies} says so
     */
    public void answered(RecordedResponse kept) {
      end(
          () -> {
            Given given =
                new Given(
                    Optional.of(seals.seal(caller.keys(), announced.id(), kept)),
                    List.of(),
                    Optional.empty());
            journal.answer(announced.tenantId(), announced.id(), given);
          });
    }

    /** It was certainly not sent; a repeat is the first again. */
    public void withdraw() {
      end(() -> journal.withdraw(announced.tenantId(), announced.id()));
    }

    /** It may have been sent, and nobody will know. */
    public void abandon() {
      end(() -> journal.abandon(announced.tenantId(), announced.id()));
    }

    /** What is not noted is lost after a while, which tells nobody to send it again. */
    private void end(Runnable note) {
      try {
        note.run();
      } catch (RuntimeException notNow) {
        // The request has ended all the same, and has its entries in the log.
        return;
      } finally {
        running.remove(announced);
      }
    }
  }
}
