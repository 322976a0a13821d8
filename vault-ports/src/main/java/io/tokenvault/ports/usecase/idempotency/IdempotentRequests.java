package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.JournalState;
import io.tokenvault.ports.store.RequestJournal.StoredResponse;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes changes with an idempotency key safe to retry: each is executed once, and its response is
 * replayed for 24 hours.
 *
 * <p>A retry is authorized again: the caller must still meet the requirement of the request, and
 * may see as much of each token as the response shows. Nothing of the response is decrypted before
 * that is recorded.
 */
public final class IdempotentRequests {

  private static final String REPLAYED = "Response replayed";

  private final RequestJournal journal;
  private final TokenHasher hasher;
  private final ResponseCipher responseCipher;
  private final RequestLookup lookup;
  private final Authenticator authenticator;
  private final AuditTrail trail;
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
    this.hasher = hasher;
    this.responseCipher = responseCipher;
    this.lookup = lookup;
    this.authenticator = authenticator;
    this.trail = new AuditTrail(recorder);
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
    IdempotentRequest request = sent.hashed(hasher, caller);
    AtomicReference<RecordedResponse> first = new AtomicReference<>();
    JournalState state =
        journal.once(
            request,
            AttemptReservation.toShow(reservation).toLoad(),
            () -> {
              RecordedResponse response = work.get();
              first.set(response);
              return encrypted(caller, request, response);
            });
    if (state instanceof JournalState.First) {
      return new Outcome(first.get(), false);
    }
    if (state instanceof JournalState.Completed response) {
      return new Outcome(replay(caller, requirement, response, reservation), true);
    }
    throw refusal(state);
  }

  private StoredResponse encrypted(
      Caller caller, IdempotentRequest request, RecordedResponse response) {
    return new StoredResponse(
        response.isWhole()
            ? Optional.of(responseCipher.encrypt(caller.keys(), request.id(), response))
            : Optional.empty(),
        response.subjects(),
        shortLived.cvcLifetime().filter(unused -> response.isShortLived()));
  }

  private RecordedResponse replay(
      Caller caller,
      Requirement requirement,
      JournalState.Completed response,
      MemoryReservation reservation) {
    AttemptReservation memory = AttemptReservation.toUse(reservation);
    Caller present =
        OptimisticExecutor.repeatWhileOutdated(
            () -> authorizeReplay(caller, requirement, response.subjects(), memory));
    return response
        .encrypted()
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
        .orElseGet(IdempotentRequests::responseExpired);
  }

  private static RefusedException keyNotRecorded(ResponseSubject application) {
    return new RefusedException(
        FailureCause.ALREADY_DONE,
        "This request succeeded. The key that it created was shown once and is not stored;"
            + " regenerate the key of application "
            + application.id()
            + ".");
  }

  /** Authorizes and records a replay; empty if a precondition no longer holds. */
  private Optional<Caller> authorizeReplay(
      Caller caller,
      Requirement requirement,
      List<ResponseSubject> subjects,
      AttemptReservation memory) {
    LookupResult loaded = lookup.load(caller.with(tokenIds(subjects)), memory.toLoad());
    Caller present = authenticator.reload(caller, loaded);
    trail.require(present, requirement);
    List<AuditEntry> entries = new ArrayList<>();
    List<Token> tokens = new ArrayList<>();
    for (ResponseSubject each : subjects) {
      if (each.kind().isToken()) {
        Token token = storedToken(each, loaded);
        requireShown(present, token, each);
        tokens.add(token);
        entries.add(entry(present, EntityType.of(token.type()), each));
      } else {
        entries.add(entry(present, entityType(each.kind()), each));
      }
    }
    if (entries.isEmpty()) {
      // The response shows no resource.
      entries.add(
          AuditTrail.entry(
              present, EntityType.APPLICATION, present.id(), Operation.READ, REPLAYED));
    }
    return trail.record(entries, present.versionsWithKeys().with(tokens))
        ? Optional.of(present)
        : Optional.empty();
  }

  private static Set<TokenId> tokenIds(List<ResponseSubject> subjects) {
    return subjects.stream()
        .filter(each -> each.kind().isToken())
        .map(each -> new TokenId(each.id()))
        .collect(Collectors.toSet());
  }

  private static Token storedToken(ResponseSubject subject, LookupResult loaded) {
    Map<TokenId, StoredToken> found = loaded.tokens();
    return Optional.ofNullable(found.get(new TokenId(subject.id())))
        .map(StoredToken::token)
        .orElseThrow(IdempotentRequests::responseExpired);
  }

  /**
   * Returns the failure for a response that has expired, or shows a resource that no longer exists.
   */
  static RefusedException responseExpired() {
    return new RefusedException(
        FailureCause.ALREADY_DONE,
        "This request was completed. Its response is no longer stored, or contains tokens that were"
            + " deleted.");
  }

  private void requireShown(Caller caller, Token token, ResponseSubject subject) {
    Optional<AccessTransform> allowed = allowed(caller, token, subject.kind());
    if (allowed.isEmpty() || allowed.get().compareTo(subject.shown()) < 0) {
      throw trail.recordRefusal(
          caller,
          EntityType.of(token.type()),
          token.id(),
          Operation.READ,
          "Response replay",
          "The API key no longer permits the token data in the response to this request.");
    }
  }

  /**
   * Returns the strongest transform under which a response could show a token now; empty if it may
   * not be replayed.
   */
  private static Optional<AccessTransform> allowed(Caller caller, Token token, Kind kind) {
    boolean isChange = kind == Kind.TOKEN_CHANGED;
    Authority authority = caller.authority();
    Optional<AccessTransform> written =
        authority.transform(
            isChange ? Permission.TOKEN_UPDATE : Permission.TOKEN_CREATE, token.traits());
    if (kind == Kind.TOKEN_CREATED) {
      return written;
    }
    AccessTransform read =
        authority
            .transform(Permission.TOKEN_READ, token.traits())
            .orElse(isChange ? AccessTransform.MASK : AccessTransform.REDACT);
    return written.map(read::weaker);
  }

  private static EntityType entityType(Kind kind) {
    return kind == Kind.PROXY ? EntityType.PROXY : EntityType.APPLICATION;
  }

  private static AuditEntry entry(Caller caller, EntityType type, ResponseSubject subject) {
    return AuditTrail.entry(caller, type, subject.id(), Operation.READ, REPLAYED);
  }

  /** Returns the failure for a request that is neither the first nor has a recorded response. */
  static RefusedException refusal(JournalState state) {
    if (state instanceof JournalState.Running) {
      return new RefusedException(
          FailureCause.REQUEST_RUNNING,
          "The first request with this idempotency key is still in progress; try again.");
    }
    if (state instanceof JournalState.Different) {
      return new RefusedException(
          FailureCause.IDEMPOTENCY_KEY_USED,
          "This idempotency key was used with another body, query or destination; use a new key"
              + " for a new request.");
    }
    return state instanceof JournalState.Lost ? outcomeUnknown() : OptimisticExecutor.outdated();
  }

  private static RefusedException outcomeUnknown() {
    return new RefusedException(
        FailureCause.OUTCOME_UNKNOWN,
        "The first request with this idempotency key may have reached its destination, so it is"
            + " not sent again. Its outcome is unknown: check with the destination, and use a new"
            + " key to send the request again.");
  }

  /**
   * The outcome of a request.
   *
   * @param isReplay whether the response is replayed
   */
  public record Outcome(RecordedResponse response, boolean isReplay) {}
}
