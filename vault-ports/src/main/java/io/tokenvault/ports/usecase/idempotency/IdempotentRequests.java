package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Given;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.Meeting;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Makes changes with an idempotency key safe to retry: each is executed once, and its response is
 * replayed for 24 hours.
 *
 * <p>A retry is authorized again for everything that the response shows, and recorded.
 */
public final class IdempotentRequests {

  private final RequestJournal journal;
  private final RequestHasher requests;
  private final ResponseCipher responseCipher;
  private final ResponseReplay repeats;
  private final ShortLivedData shortLived;

  /**
   * Creates the use case.
   *
   * @param shortLived the short-lived part of token data; a response that may show it expires with
   *     it
   */
  public IdempotentRequests(
      RequestJournal journal,
      TokenHasher hasher,
      ResponseCipher responseCipher,
      RequestLookup lookup,
      Authenticator authenticator,
      AuditRecorder recorder,
      ShortLivedData shortLived) {
    this.journal = journal;
    this.requests = new RequestHasher(hasher);
    this.responseCipher = responseCipher;
    this.repeats = new ResponseReplay(lookup, authenticator, new AuditTrail(recorder));
    this.shortLived = shortLived;
  }

  /**
   * Executes a request, or replays its recorded response.
   *
   * @param caller a caller that meets the requirement
   * @param requirement the requirement of the request, which a retry must still meet
   * @param reservation the memory reservation for an earlier response and the tokens that it shows
   * @param work executes the request; its changes commit together with the response
   * @throws RefusedException if the first request is still running, had other content under this
   *     idempotency key, has no recorded response, or its response may no longer be shown, which is
   *     recorded; each has its own cause. Exceptions of {@code work} are propagated, and nothing is
   *     stored
   */
  public Outcome once(
      Caller caller,
      Requirement requirement,
      SentRequest sent,
      MemoryReservation reservation,
      Supplier<RecordedResponse> work) {
    IdempotentRequest request = requests.of(caller, sent);
    AtomicReference<RecordedResponse> first = new AtomicReference<>();
    Meeting met =
        journal.once(
            request,
            AttemptReservation.toShow(reservation).toLoad(),
            () -> {
              RecordedResponse response = work.get();
              first.set(response);
              return given(caller, request, response);
            });
    if (met instanceof Meeting.First) {
      return new Outcome(first.get(), false);
    }
    if (met instanceof Meeting.Answered response) {
      return new Outcome(again(caller, requirement, response, reservation), true);
    }
    throw RequestHasher.refusal(met);
  }

  private Given given(Caller caller, IdempotentRequest request, RecordedResponse response) {
    return new Given(
        response.isWhole()
            ? Optional.of(responseCipher.encrypt(caller.keys(), request.id(), response))
            : Optional.empty(),
        response.subjects(),
        shortLived.cvcLifetime().filter(unused -> response.isShortLived()));
  }

  private RecordedResponse again(
      Caller caller,
      Requirement requirement,
      Meeting.Answered response,
      MemoryReservation reservation) {
    Caller present = repeats.authorise(caller, requirement, response.subjects(), reservation);
    return response
        .answer()
        .map(
            each ->
                responseCipher.decrypt(present.keys(), response.id(), each, response.subjects()))
        .orElseThrow(() -> notRecorded(response.subjects()));
  }

  private static RefusedException notRecorded(List<ResponseSubject> subjects) {
    return subjects.stream()
        .filter(each -> each.kind() == Kind.APPLICATION)
        .findFirst()
        .map(IdempotentRequests::keyNotRecorded)
        .orElseGet(ResponseReplay::gone);
  }

  private static RefusedException keyNotRecorded(ResponseSubject application) {
    return new RefusedException(
        FailureCause.ALREADY_DONE,
        "This request succeeded. The key that it created was shown once and is not stored;"
            + " regenerate the key of application "
            + application.id()
            + ".");
  }

  /**
   * The outcome of a request.
   *
   * @param isRepeat whether the response is replayed
   */
  public record Outcome(RecordedResponse answer, boolean isRepeat) {}
}
