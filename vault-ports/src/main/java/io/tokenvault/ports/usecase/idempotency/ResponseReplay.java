package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupResult;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Authorizes and records the replay of a response: the caller must still meet the requirement of
 * the request, and may see as much of each token as the response shows. Nothing of the response is
 * decrypted before that is durable.
 */
final class ResponseReplay {

  private static final String MESSAGE = "Response replayed";

  private final RequestLookup lookup;
  private final Authenticator authenticator;
  private final AuditTrail trail;

  /**
   * Creates a replay.
   *
   * @param trail over an {@link AuditRecorder}
   */
  ResponseReplay(RequestLookup lookup, Authenticator authenticator, AuditTrail trail) {
    this.lookup = lookup;
    this.authenticator = authenticator;
    this.trail = trail;
  }

  /**
   * Authorizes a replay and records it.
   *
   * @param reservation the memory reservation for the tokens that the response shows
   * @return the caller on current data
   * @throws RefusedException if a permission is missing, which is recorded, or a token no longer
   *     exists
   */
  Caller authorise(
      Caller caller,
      Requirement requirement,
      List<ResponseSubject> subjects,
      MemoryReservation reservation) {
    AttemptReservation need = AttemptReservation.toUse(reservation);
    return OptimisticExecutor.repeatWhileOutdated(() -> tryTo(caller, requirement, subjects, need));
  }

  private Optional<Caller> tryTo(
      Caller caller,
      Requirement requirement,
      List<ResponseSubject> subjects,
      AttemptReservation need) {
    LookupResult loaded = lookup.load(caller.with(tokenIds(subjects)), need.toLoad());
    Caller present = authenticator.reload(caller, loaded);
    trail.require(present, requirement);
    List<AuditEntry> entries = new ArrayList<>();
    List<Token> tokens = new ArrayList<>();
    for (ResponseSubject each : subjects) {
      if (each.kind().isToken()) {
        Token token = present(each, loaded);
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
          AuditTrail.entry(present, EntityType.APPLICATION, present.id(), Operation.READ, MESSAGE));
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

  private static Token present(ResponseSubject subject, LookupResult loaded) {
    Map<TokenId, StoredToken> found = loaded.tokens();
    return Optional.ofNullable(found.get(new TokenId(subject.id())))
        .map(StoredToken::token)
        .orElseThrow(ResponseReplay::gone);
  }

  /**
   * Returns the failure for a response that has expired, or shows a resource that no longer exists.
   */
  static RefusedException gone() {
    return new RefusedException(
        FailureCause.ALREADY_DONE,
        "This request was completed. Its response is no longer stored, or contains tokens that were"
            + " deleted.");
  }

  private void requireShown(Caller caller, Token token, ResponseSubject subject) {
    Optional<AccessTransform> allowed = allowed(caller, token, subject.kind());
    if (allowed.isEmpty() || allowed.get().compareTo(subject.shown()) < 0) {
      throw trail.refusal(
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
    Permission needed =
        kind == Kind.TOKEN_CHANGED ? Permission.TOKEN_UPDATE : Permission.TOKEN_CREATE;
    if (!(caller.authority().decide(needed, token.traits()) instanceof Allow allow)) {
      return Optional.empty();
    }
    if (kind == Kind.TOKEN_CREATED) {
      return Optional.of(allow.transform());
    }
    AccessTransform withoutRead =
        kind == Kind.TOKEN_CHANGED ? AccessTransform.MASK : AccessTransform.REDACT;
    return Optional.of(
        caller.authority().decide(Permission.TOKEN_READ, token.traits()) instanceof Allow read
            ? allow.transform().weaker(read.transform())
            : allow.transform().weaker(withoutRead));
  }

  private static EntityType entityType(Kind kind) {
    return kind == Kind.PROXY ? EntityType.PROXY : EntityType.APPLICATION;
  }

  private static AuditEntry entry(Caller caller, EntityType type, ResponseSubject subject) {
    return AuditTrail.entry(caller, type, subject.id(), Operation.READ, MESSAGE);
  }
}
