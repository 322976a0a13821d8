package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Given;
import io.tokenvault.ports.store.RequestJournal.Meeting;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.IdempotentRequest;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.memory.AttemptReservation;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Changes that their clients may ask for again: carried out once, and answered as before for 24
 * hours. Who asks again is authorised anew, for all that the answer shows, and recorded.
 */
public final class IdempotentRequests {

  private final RequestJournal journal;
  private final RequestHasher requests;
  private final ResponseCipher seals;
  private final ResponseReplay repeats;
  private final ShortLivedData shortLived;

  /**
   * @param shortLived what of tokens goes before they do; an answer that may show it goes as well
   */
  public IdempotentRequests(
      RequestJournal journal,
      TokenHasher hasher,
      ResponseCipher seals,
      RequestLookup lookup,
      Authenticator gate,
      AuditRecorder recorder,
      ShortLivedData shortLived) {
    this(journal, hasher, seals, lookup, gate, recorder, shortLived, RequestHasher.KEPT);
  }

  IdempotentRequests(
      RequestJournal journal,
      TokenHasher hasher,
      ResponseCipher seals,
      RequestLookup lookup,
      Authenticator gate,
      AuditRecorder recorder,
      ShortLivedData shortLived,
      Duration kept) {
    this.journal = journal;
    this.requests = new RequestHasher(hasher, kept);
    this.seals = seals;
    this.repeats = new ResponseReplay(lookup, gate, new AuditTrail(recorder));
    this.shortLived = shortLived;
  }

  /**
   * Carries a request out, or gives what it was answered before.
   *
   * @param caller who has what is required
   * @param requirement of the request; who asks again has to meet it still
   * @param room for an earlier response, and the tokens that it tells of
   * @param work carries it out; its changes commit together with the answer
   * @throws RefusedException of a cause of its own while the first one runs, for another request
   *     under the same key, where the answer was not kept, and where it may not be given any more,
   *     which is recorded; and as {@code work} does, of which nothing is kept then
   */
  public Outcome once(
      Caller caller,
      Requirement requirement,
      SentRequest sent,
      MemoryReservation room,
      Supplier<RecordedResponse> work) {
    IdempotentRequest request = requests.of(caller, sent);
    AtomicReference<RecordedResponse> first = new AtomicReference<>();
    Meeting met =
        journal.once(
            request,
            room.times(AttemptReservation.TO_SHOW),
            () -> {
              RecordedResponse answer = work.get();
              first.set(answer);
              return given(caller, request, answer);
            });
    if (met instanceof Meeting.First) {
      return new Outcome(first.get(), false);
    }
    if (met instanceof Meeting.Answered answered) {
      return new Outcome(again(caller, requirement, answered, room), true);
    }
    throw RequestHasher.refusal(met);
  }

  public Outcome once(
      Caller caller, Requirement requirement, SentRequest sent, Supplier<RecordedResponse> work) {
    return once(caller, requirement, sent, MemoryReservation.UNBOUNDED, work);
  }

  private Given given(Caller caller, IdempotentRequest request, RecordedResponse answer) {
    return new Given(
        answer.isWhole()
            ? Optional.of(seals.seal(caller.keys(), request.id(), answer))
            : Optional.empty(),
        answer.subjects(),
        shortLived.cvcLifetime().filter(unused -> answer.isShortLived()));
  }

  private RecordedResponse again(
      Caller caller, Requirement requirement, Meeting.Answered answered, MemoryReservation room) {
    Caller present = repeats.authorise(caller, requirement, answered.subjects(), room);
    return answered
        .answer()
        .map(each -> seals.open(present.keys(), answered.id(), each, answered.subjects()))
        .orElseThrow(() -> notKept(answered.subjects()));
  }

  private static RefusedException notKept(List<ResponseSubject> subjects) {
    return subjects.stream()
        .filter(each -> each.kind() == Kind.APPLICATION)
        .findFirst()
        .map(IdempotentRequests::keyNotKept)
        .orElseGet(ResponseReplay::gone);
  }

  private static RefusedException keyNotKept(ResponseSubject application) {
    return new RefusedException(
        FailureCause.ALREADY_DONE,
        "This request was carried out. The key that it made was shown then and is kept nowhere;"
            + " regenerate the key of application "
            + application.id()
            + ".");
  }

  /**
   * What a request is answered.
   *
   * @param isRepeat whether it was carried out before
   */
  public record Outcome(RecordedResponse answer, boolean isRepeat) {}
}
