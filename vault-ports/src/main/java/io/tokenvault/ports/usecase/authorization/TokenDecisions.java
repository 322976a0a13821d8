package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.store.LookupResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Decides on the operations of a caller on loaded tokens, and records refusals. */
public final class TokenDecisions {

  private static final String SEPARATOR = ", ";

  private final AuditTrail trail;

  public TokenDecisions(AuditTrail trail) {
    this.trail = trail;
  }

  /**
   * Returns the transform under which a caller may exercise a permission on a token that it named.
   *
   * @param operation the operation under which a refusal is recorded
   * @param what the operation for the log, such as {@code "Token read"}
   * @throws RefusedException if the permission is denied, which is recorded
   */
  public AccessTransform require(
      Caller caller, Permission permission, Token token, Operation operation, String what) {
    Decision decision = caller.authority().decide(permission, token.traits());
    if (decision instanceof Allow allow) {
      return allow.transform();
    }
    throw trail.recordRefusal(
        caller,
        EntityType.of(token.type()),
        token.id(),
        operation,
        what,
        notPermitted(permission, token, decision));
  }

  /**
   * Returns the refusal message for a caller who named the token: the missing permission and the
   * containers.
   *
   * @param refusal states whether the permission is missing from the caller or its creator
   */
  private static String notPermitted(Permission permission, Token token, Decision refusal) {
    return subject(refusal.isByCreator())
        + " does not permit "
        + permission.type()
        + " in "
        + paths(token.settings().containers())
        + ", where this token is.";
  }

  private static String subject(boolean isCreator) {
    return isCreator ? "The application that created this one" : "The API key";
  }

  /**
   * Returns the transform for a listed token: that of {@code token:read} or else of {@code
   * token:search}. A token in scope is allowed under one of the two; after a concurrent change it
   * is redacted.
   */
  public static AccessTransform listTransform(Caller caller, TokenTraits token) {
    Authority authority = caller.authority();
    return authority
        .transform(Permission.TOKEN_READ, token)
        .or(() -> authority.transform(Permission.TOKEN_SEARCH, token))
        .orElse(AccessTransform.REDACT);
  }

  /**
   * Returns the transform of {@code token:read}; {@code REDACT} if the caller may not read the
   * token.
   */
  public static AccessTransform readTransform(Caller caller, Token token) {
    return caller
        .authority()
        .transform(Permission.TOKEN_READ, token.traits())
        .orElse(AccessTransform.REDACT);
  }

  /**
   * Checks that all tokens were found.
   *
   * @param ids as they were written; one that is not a valid token id counts as unknown
   * @throws RefusedException with cause {@code UNKNOWN_TOKENS}, naming the unknown ids
   */
  public static void requireAllKnown(Set<String> ids, LookupResult loaded) {
    Set<String> known = new HashSet<>();
    for (TokenId id : loaded.tokens().keySet()) {
      known.add(id.value());
    }
    if (!known.containsAll(ids)) {
      Set<String> unknown = new TreeSet<>(ids);
      unknown.removeAll(known);
      throw new RefusedException(
          FailureCause.UNKNOWN_TOKENS,
          "These tokens do not exist: "
              + unknown.stream().map(TokenDecisions::shown).collect(Collectors.joining(SEPARATOR)));
    }
  }

  /**
   * Returns the id for a message. An expression can contain anything, of any length, so only valid
   * ids are shown.
   */
  private static String shown(String id) {
    return TokenId.parse(id).map(TokenId::value).orElse("(an expression without a token)");
  }

  /**
   * Checks that a caller may read all tokens.
   *
   * @throws RefusedException if it may not read one, which is recorded
   */
  public void requireAllReadable(Caller caller, Collection<Token> tokens) {
    List<Token> denied = denied(caller, Permission.TOKEN_READ, tokens);
    if (denied.isEmpty()) {
      return;
    }
    recordReadDenied(caller, denied);
    throw forbidden(caller, Permission.TOKEN_READ, denied);
  }

  private void recordReadDenied(Caller caller, List<Token> tokens) {
    trail.recordDenied(
        caller,
        tokens.stream()
            .map(token -> entry(caller, token, Operation.READ, "Token read denied"))
            .toList());
  }

  /**
   * Checks that the caller may use all tokens, and that the egress policy allows them at the
   * destination.
   *
   * @param invocation the entry about the invocation, which determines the recorded refusal
   * @throws RefusedException if one is not allowed, which is recorded
   */
  public void requireAllUsable(
      Caller caller, Collection<Token> tokens, Delivery delivery, AuditEntry invocation) {
    if (delivery.chosenByCaller()) {
      requireUrlHeader(caller, invocation);
    }
    List<Token> denied = denied(caller, Permission.TOKEN_USE, tokens);
    if (!denied.isEmpty()) {
      recordDenied(caller, denied, invocation);
      throw forbidden(caller, Permission.TOKEN_USE, denied);
    }
    List<Token> bound = bound(caller, tokens, delivery);
    if (!bound.isEmpty()) {
      recordDenied(caller, bound, invocation);
      throw tokensBound(bound);
    }
  }

  /**
   * Checks that the egress policy allows tokens at the destination of the invocation that the
   * caller is part of, if any, since nothing can prevent a transform from sending their data there.
   * They count as revealed once {@link #disclose} is called.
   *
   * @throws RefusedException if one is bound to other destinations, which is recorded
   */
  public void requireMayLeave(Caller caller, Collection<Token> tokens) {
    List<Token> bound =
        caller.target().map(target -> bound(caller, tokens, target.delivery())).orElse(List.of());
    if (!bound.isEmpty()) {
      recordReadDenied(caller, bound);
      throw tokensBound(bound);
    }
  }

  /**
   * Marks tokens as revealed to the invocation that the caller is part of, if any. Call it after
   * the decision was recorded and before their data is handed over.
   */
  public static void disclose(Caller caller, Collection<Token> tokens) {
    caller.target().ifPresent(target -> target.disclosure().add(tokens));
  }

  /**
   * Limits the transform for a token that was found by deduplication: an invocation of a proxy
   * receives at most the mask of a token that may not be sent to its destination.
   */
  public static AccessTransform limitToDestination(
      Caller caller, Token token, AccessTransform wanted) {
    if (wanted != AccessTransform.REVEAL || caller.target().isEmpty()) {
      return wanted;
    }
    return caller.egress().allows(token.traits(), caller.target().get().delivery())
        ? wanted
        : AccessTransform.MASK;
  }

  /**
   * Checks that all tokens revealed to an invocation may be sent to the target of a transform's
   * request.
   *
   * @param denial the entry to record if they may not
   */
  public void requireFetchable(
      Caller caller,
      InvocationDisclosure disclosure,
      Delivery delivery,
      Supplier<AuditEntry> denial) {
    boolean free =
        disclosure.tokens().stream().allMatch(token -> caller.egress().allows(token, delivery));
    if (!free) {
      trail.recordDenied(caller, List.of(denial.get()));
      throw new RefusedException(
          FailureCause.TOKENS_BOUND,
          "Tokens that this request used may not be sent to this destination.");
    }
  }

  private static List<Token> bound(Caller caller, Collection<Token> tokens, Delivery delivery) {
    List<Token> bound = new ArrayList<>(0);
    for (Token token : tokens) {
      if (!caller.egress().allows(token.traits(), delivery)) {
        bound.add(token);
      }
    }
    return bound;
  }

  private static RefusedException tokensBound(List<Token> bound) {
    return new RefusedException(
        FailureCause.TOKENS_BOUND,
        "These tokens may not be sent to this destination: " + listed(bound));
  }

  /** Checks that callers may name a destination in the request, which the operator can disable. */
  public void requireUrlHeader(Caller caller, AuditEntry invocation) {
    if (caller.egress().urlHeader()) {
      return;
    }
    recordDenied(caller, List.of(), invocation);
    throw new RefusedException(
        FailureCause.URL_HEADER_OFF,
        "The operator has disabled destinations in requests; use a proxy.");
  }

  private void recordDenied(Caller caller, List<Token> tokens, AuditEntry invocation) {
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(
        AuditTrail.entry(
            caller,
            invocation.entityType(),
            invocation.entityId(),
            Operation.INVOKE,
            "Proxy invocation denied"));
    tokens.forEach(token -> entries.add(entry(caller, token, Operation.USE, "Token use denied")));
    trail.recordDenied(caller, entries);
  }

  private static List<Token> denied(
      Caller caller, Permission permission, Collection<Token> tokens) {
    Authority authority = caller.authority();
    List<Token> denied = new ArrayList<>(0);
    for (Token token : tokens) {
      if (!authority.decide(permission, token.traits()).isAllowed()) {
        denied.add(token);
      }
    }
    return denied;
  }

  private static RefusedException forbidden(
      Caller caller, Permission permission, List<Token> denied) {
    boolean byCreator =
        denied.stream()
            .allMatch(each -> caller.authority().decide(permission, each.traits()).isByCreator());
    return new RefusedException(
        FailureCause.TOKENS_FORBIDDEN,
        subject(byCreator)
            + " does not permit "
            + permission.type()
            + " on these tokens, by their containers: "
            + denied.stream()
                .map(TokenDecisions::withContainers)
                .sorted()
                .collect(Collectors.joining(SEPARATOR)));
  }

  private static String withContainers(Token token) {
    return token.id().value() + " (" + paths(token.settings().containers()) + ")";
  }

  private static String listed(List<Token> tokens) {
    return tokens.stream()
        .map(token -> token.id().value())
        .sorted()
        .collect(Collectors.joining(SEPARATOR));
  }

  /** Returns whether a caller holds {@code token:use} on a token. */
  public static boolean mayUse(Caller caller, Token token) {
    return caller.authority().decide(Permission.TOKEN_USE, token.traits()).isAllowed();
  }

  public static AuditEntry maskEntry(Caller caller, Token token) {
    return entry(caller, token, Operation.READ, "Token mask shown in a dry run");
  }

  public static AuditEntry evaluationEntry(Caller caller, Token token) {
    return entry(caller, token, Operation.READ, "Token data evaluated for a change");
  }

  public static AuditEntry readEntry(Caller caller, Token token) {
    return entry(caller, token, Operation.READ, "Token retrieved");
  }

  public static AuditEntry useEntry(Caller caller, Token token) {
    return entry(caller, token, Operation.USE, "Token used");
  }

  private static AuditEntry entry(Caller caller, Token token, Operation operation, String message) {
    return AuditTrail.entry(caller, EntityType.of(token.type()), token.id(), operation, message);
  }

  /** Returns the containers in which the permission is missing, joined by commas. */
  public static String missingContainers(Caller caller, Permission permission, TokenTraits token) {
    Authority authority = caller.authority();
    return paths(
        token.containers().stream()
            .filter(each -> !authority.decide(permission, token.onlyIn(each)).isAllowed())
            .toList());
  }

  /** Returns the sorted paths of containers, joined by commas. */
  static String paths(Collection<Container> containers) {
    return containers.stream().map(Container::path).sorted().collect(Collectors.joining(SEPARATOR));
  }
}
