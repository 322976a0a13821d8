package io.tokenvault.ports.usecase;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.AnswerSubject;
import io.tokenvault.ports.spi.AnswerSubject.Kind;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.KeyedRequest;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.RequestJournal;
import io.tokenvault.ports.spi.RequestJournal.Given;
import io.tokenvault.ports.spi.RequestJournal.Meeting;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.TokenHasher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Changes that their clients may ask for again: carried out once, and answered as before for 24
 * hours. Who asks again is authorised anew, for all that the answer shows, and recorded.
 */
public final class RepeatableRequests {

  private final RequestJournal journal;
  private final KeyedRequests requests;
  private final AnswerSeals seals;
  private final RepeatedAnswers repeats;
  private final ShortLivedData shortLived;

  /**
   * @param shortLived what of tokens goes before they do; an answer that may show it goes as well
   */
  public RepeatableRequests(
      RequestJournal journal,
      TokenHasher hasher,
      AnswerSeals seals,
      RequestLookup lookup,
      Gate gate,
      AuditRecorder recorder,
      ShortLivedData shortLived) {
    this(journal, hasher, seals, lookup, gate, recorder, shortLived, KeyedRequests.KEPT);
  }

  RepeatableRequests(
      RequestJournal journal,
      TokenHasher hasher,
      AnswerSeals seals,
      RequestLookup lookup,
      Gate gate,
      AuditRecorder recorder,
      ShortLivedData shortLived,
      Duration kept) {
    this.journal = journal;
    this.requests = new KeyedRequests(hasher, kept);
    this.seals = seals;
    this.repeats = new RepeatedAnswers(lookup, gate, new AuditTrail(recorder));
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
      Supplier<RepeatableAnswer> work) {
    KeyedRequest request = requests.of(caller, sent);
    AtomicReference<RepeatableAnswer> first = new AtomicReference<>();
    Meeting met =
        journal.once(
            request,
            room.times(AttemptReservation.TO_SHOW),
            () -> {
              RepeatableAnswer answer = work.get();
              first.set(answer);
              return given(caller, request, answer);
            });
    if (met instanceof Meeting.First) {
      return new Outcome(first.get(), false);
    }
    if (met instanceof Meeting.Answered answered) {
      return new Outcome(again(caller, requirement, answered, room), true);
    }
    throw KeyedRequests.refusal(met);
  }

  Outcome once(
      Caller caller, Requirement requirement, SentRequest sent, Supplier<RepeatableAnswer> work) {
    return once(caller, requirement, sent, MemoryReservation.UNBOUNDED, work);
  }

  private Given given(Caller caller, KeyedRequest request, RepeatableAnswer answer) {
    return new Given(
        answer.isWhole()
            ? Optional.of(seals.seal(caller.keys(), request.id(), answer))
            : Optional.empty(),
        answer.subjects(),
        shortLived.cvcLifetime().filter(unused -> answer.isShortLived()));
  }

  private RepeatableAnswer again(
      Caller caller, Requirement requirement, Meeting.Answered answered, MemoryReservation room) {
    Caller present = repeats.authorise(caller, requirement, answered.subjects(), room);
    return answered
        .answer()
        .map(each -> seals.open(present.keys(), answered.id(), each, answered.subjects()))
        .orElseThrow(() -> notKept(answered.subjects()));
  }

  private static RefusedException notKept(List<AnswerSubject> subjects) {
    return subjects.stream()
        .filter(each -> each.kind() == Kind.APPLICATION)
        .findFirst()
        .map(RepeatableRequests::keyNotKept)
        .orElseGet(RepeatedAnswers::gone);
  }

  private static RefusedException keyNotKept(AnswerSubject application) {
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
  public record Outcome(RepeatableAnswer answer, boolean isRepeat) {}
}
