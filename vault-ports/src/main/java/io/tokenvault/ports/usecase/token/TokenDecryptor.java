package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.Expressions.References;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.InvocationDisclosure;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.Decided;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.Decider;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives access to the plaintext of tokens: decides, records, waits until the record is durable, and
 * only then decrypts.
 *
 * <p>If a version changed between decision and record, the decision is repeated. No other class may
 * decrypt a token's data.
 */
public final class TokenDecryptor {

  private final TokenContents contents;
  private final TokenEvaluation evaluation;
  private final AuditTrail trail;
  private final TokenDecisions decisions;
  private final OptimisticExecutor executor;

  public TokenDecryptor(
      RequestLookup lookup,
      TokenContents contents,
      Authenticator authenticator,
      AuditRecorder recorder) {
    this.contents = contents;
    this.evaluation = contents.evaluation();
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
    this.executor = new OptimisticExecutor(lookup, authenticator, trail);
  }

  /**
   * Returns a token under the caller's {@code token:read}.
   *
   * @param memory reserves memory for the token
   * @throws RefusedException if it does not exist, or if it may not be read (recorded)
   */
  public TokenView read(AuthenticatedCaller caller, TokenId id, AttemptReservation memory) {
    return executor.decide(caller, Set.of(id), memory, reading(id, memory));
  }

  private Decider<TokenView> reading(TokenId id, AttemptReservation memory) {
    return (present, loaded) -> {
      StoredToken stored =
          Optional.ofNullable(loaded.tokens().get(id)).orElseThrow(RefusedException::notFound);
      AccessTransform transform =
          decisions.require(
              present, Permission.TOKEN_READ, stored.token(), Operation.READ, "Token read");
      List<Token> revealed = revealed(transform, stored.token());
      decisions.requireMayLeave(present, revealed);
      return new Decided<>(
          List.of(TokenDecisions.readEntry(present, stored.token())),
          present.versionsWithKeys().with(List.of(stored.token())),
          () -> {
            TokenDecisions.disclose(present, revealed);
            return view(present, stored, transform, memory);
          });
    };
  }

  private static List<Token> revealed(AccessTransform transform, Token token) {
    return transform == AccessTransform.REVEAL ? List.of(token) : List.of();
  }

  /**
   * Tokens to send to a destination.
   *
   * @param ids as they were written; one that is not a valid token id counts as unknown
   * @param delivery the destination of the data
   * @param proxyVersions the preconditions on the proxy, if any
   * @param invocation recorded together with the uses
   * @param disclosure receives the revealed tokens
   */
  public record Use(
      Set<String> ids,
      Delivery delivery,
      Preconditions proxyVersions,
      AuditEntry invocation,
      InvocationDisclosure disclosure) {}

  /**
   * Returns the raw data of tokens for a destination: all or none. The caller needs {@code
   * token:use} on each, and the egress policy must allow each at the destination.
   *
   * @param memory reserves memory for the tokens
   * @return JSON in UTF-8 for each id
   * @throws RefusedException if a token is unknown, or if one is not allowed (recorded); and while
   *     the caller is provisional, in which case everything must be decided again
   */
  public Map<String, SensitiveValue> use(Caller caller, Use use, AttemptReservation memory) {
    Set<TokenId> ids = possible(use.ids());
    return executor
        .decideOnCached(caller, ids, memory, using(use, memory))
        .orElseGet(
            () -> {
              if (caller.isProvisional()) {
                throw OptimisticExecutor.outdated();
              }
              return executor.decideOnCurrent(caller, ids, memory, using(use, memory));
            });
  }

  private Decider<Map<String, SensitiveValue>> using(Use use, AttemptReservation memory) {
    return (present, loaded) -> {
      TokenDecisions.requireAllKnown(use.ids(), loaded);
      List<Token> used = tokens(loaded);
      decisions.requireAllUsable(present, used, use.delivery(), use.invocation());
      List<AuditEntry> entries = new ArrayList<>(1 + used.size());
      entries.add(use.invocation());
      for (Token token : used) {
        entries.add(TokenDecisions.useEntry(present, token));
      }
      return new Decided<>(
          entries,
          present.versionsOfUse().withKeys().and(use.proxyVersions()).with(used),
          () -> {
            use.disclosure().add(used);
            return openAll(present, loaded, memory);
          });
    };
  }

  static Set<TokenId> possible(Set<String> ids) {
    Set<TokenId> possible = new HashSet<>();
    for (String id : ids) {
      TokenId.parse(id).ifPresent(possible::add);
    }
    return possible;
  }

  private Map<String, SensitiveValue> openAll(
      Caller caller, LookupResult loaded, MemoryReservation reservation) {
    TenantKeys keys = caller.keys();
    Map<String, SensitiveValue> opened = new LinkedHashMap<>();
    for (StoredToken stored : loaded.tokens().values()) {
      opened.put(stored.token().id().value(), contents.decryptData(keys, stored, reservation));
    }
    return opened;
  }

  private static List<Token> tokens(LookupResult loaded) {
    List<Token> tokens = new ArrayList<>(loaded.tokens().size());
    for (StoredToken stored : loaded.tokens().values()) {
      tokens.add(stored.token());
    }
    return tokens;
  }

  /**
   * Replaces the tokens that a JSON value names, each under the caller's {@code token:read}: all or
   * none.
   *
   * @param memory reserves memory for the tokens
   */
  JsonValue detokenize(
      AuthenticatedCaller caller, References references, AttemptReservation memory) {
    return executor.decide(
        caller, possible(references.tokenIds()), memory, rendering(references, memory));
  }

  private Decider<JsonValue> rendering(References references, AttemptReservation memory) {
    return (present, loaded) -> {
      TokenDecisions.requireAllKnown(references.tokenIds(), loaded);
      List<Token> read = tokens(loaded);
      decisions.requireAllReadable(present, read);
      List<Token> revealed = revealed(present, read);
      decisions.requireMayLeave(present, revealed);
      return new Decided<>(
          read.stream().map(token -> TokenDecisions.readEntry(present, token)).toList(),
          present.versionsWithKeys().with(read),
          () -> {
            TokenDecisions.disclose(present, revealed);
            return references.render(shown(present, loaded, memory));
          });
    };
  }

  private static List<Token> revealed(Caller caller, List<Token> tokens) {
    List<Token> revealed = new ArrayList<>();
    for (Token token : tokens) {
      if (TokenDecisions.readTransform(caller, token) == AccessTransform.REVEAL) {
        revealed.add(token);
      }
    }
    return revealed;
  }

  private Map<String, JsonValue> shown(
      Caller caller, LookupResult loaded, MemoryReservation reservation) {
    Evaluator evaluator = evaluation.evaluator();
    Map<String, JsonValue> values = new LinkedHashMap<>();
    for (StoredToken stored : loaded.tokens().values()) {
      Token token = stored.token();
      AccessTransform transform = TokenDecisions.readTransform(caller, token);
      values.put(
          token.id().value(),
          contents.shown(evaluator, caller.keys(), stored, transform, reservation));
    }
    return values;
  }

  /**
   * Returns a preview of each existing token that an application could use at a destination, with
   * masks at most; others are absent.
   *
   * @param recipient the caller who receives the preview, and whose read of the masks is recorded
   * @param user the application that would use the tokens
   * @param memory reserves memory for the tokens and their masks
   */
  public Map<String, TokenPreview> preview(
      Caller recipient,
      Caller user,
      Set<String> ids,
      Delivery delivery,
      AttemptReservation memory) {
    return executor.decideOnCurrent(
        user, possible(ids), memory, previewing(recipient, delivery, memory));
  }

  private Decider<Map<String, TokenPreview>> previewing(
      Caller recipient, Delivery delivery, AttemptReservation memory) {
    return (present, loaded) -> {
      List<Token> usable =
          tokens(loaded).stream().filter(token -> TokenDecisions.mayUse(present, token)).toList();
      return new Decided<>(
          usable.stream().map(token -> TokenDecisions.maskEntry(recipient, token)).toList(),
          present.versionsWithKeys().with(usable),
          () -> {
            Map<String, TokenPreview> previews = new LinkedHashMap<>();
            for (StoredToken stored : loaded.tokens().values()) {
              previews.put(stored.token().id().value(), preview(present, stored, delivery, memory));
            }
            return previews;
          });
    };
  }

  private TokenPreview preview(
      Caller user, StoredToken stored, Delivery delivery, MemoryReservation reservation) {
    boolean usable = TokenDecisions.mayUse(user, stored.token());
    return new TokenPreview(
        usable,
        user.egress().allows(stored.token().traits(), delivery),
        usable ? view(user, stored, AccessTransform.MASK, reservation).data() : Optional.empty());
  }

  /**
   * The part of a token that an invocation would receive.
   *
   * @param usable whether the invoker has {@code token:use} on it
   * @param deliverable whether the egress policy allows it at the destination
   * @param mask the mask of its data as JSON in UTF-8; empty if the token is not usable or has no
   *     mask
   */
  public record TokenPreview(boolean usable, boolean deliverable, Optional<SensitiveValue> mask) {

    /** Returns the flags without the mask, which shows some of the data. */
    @Override
    public String toString() {
      return "TokenPreview[usable=" + usable + ", deliverable=" + deliverable + "]";
    }
  }

  /**
   * Returns the content that a change is applied to. Nothing that depends on it may be returned
   * before the change and its entry are durable, or {@link #recordEvaluation} has recorded its
   * evaluation.
   *
   * @param reservation the memory reservation for the data as a value
   */
  TokenContent contentToChange(Caller caller, StoredToken stored, MemoryReservation reservation) {
    return contents.decrypt(caller.keys(), stored, reservation);
  }

  /**
   * Records that expressions or validations are about to be applied to stored data. Whether they
   * fail reveals something about it, and a failed change has no entry of its own.
   *
   * @return false if a precondition no longer holds; then nothing was recorded
   */
  boolean recordEvaluation(Caller caller, Token token) {
    return trail.record(
        List.of(TokenDecisions.evaluationEntry(caller, token)),
        caller.versionsWithKeys().with(List.of(token)));
  }

  /** Returns the encryption and decryption of token content. */
  public TokenContents contents() {
    return contents;
  }

  /** Returns an evaluator for all views of one response. */
  Evaluator evaluator() {
    return evaluation.evaluator();
  }

  /**
   * Returns a token under a transform that was decided on and recorded.
   *
   * @param reservation the memory reservation for the data as a value
   */
  TokenView view(
      Caller caller, StoredToken stored, AccessTransform transform, MemoryReservation reservation) {
    return view(evaluation.evaluator(), caller, stored, transform, reservation);
  }

  /** Returns one of several tokens, whose views share an evaluator. */
  TokenView view(
      Evaluator evaluator,
      Caller caller,
      StoredToken stored,
      AccessTransform transform,
      MemoryReservation reservation) {
    return shows(transform, stored)
        ? evaluation.view(
            evaluator,
            stored.token(),
            contents.decrypt(caller.keys(), stored, reservation),
            transform)
        : TokenView.redacted(stored.token());
  }

  /**
   * Returns a token found by deduplication. The caller knows the data that it sent, but not the
   * rest of the token, so both create and read permissions limit the view.
   */
  TokenView viewFound(
      Evaluator evaluator, Caller caller, StoredToken stored, MemoryReservation reservation) {
    Token token = stored.token();
    Decision decision =
        Decision.weaker(
            caller.authority().decide(Permission.TOKEN_CREATE, token.traits()),
            caller.authority().decide(Permission.TOKEN_READ, token.traits()));
    if (!(decision instanceof Decision.Allow allow)) {
      return TokenView.summary(token);
    }
    AccessTransform shown = TokenDecisions.limitToDestination(caller, token, allow.transform());
    if (shown == AccessTransform.REVEAL) {
      TokenDecisions.disclose(caller, List.of(token));
    }
    return view(evaluator, caller, stored, shown, reservation);
  }

  /** Returns whether the view shows any data; otherwise the token is not decrypted. */
  private static boolean shows(AccessTransform transform, StoredToken stored) {
    return switch (transform) {
      case REDACT -> false;
      case MASK -> stored.expressions().isPresent() || stored.token().type().hasDefaultMask();
      case REVEAL -> true;
    };
  }
}
