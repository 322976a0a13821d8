package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.spi.TokenStore;
import io.tokenvault.ports.spi.Versions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The one door to plaintext: decides, records, waits until the record is durable, and only then
 * opens. Where something changed between decision and record, it decides anew. No other class may
 * open a token's seal.
 */
public final class OpenTokens {

  private static final int MAX_ATTEMPTS = 5;

  private final RequestLookup lookup;
  private final TokenStore tokens;
  private final Sealer sealer;
  private final Gate gate;
  private final AuditTrail trail;

  public OpenTokens(
      RequestLookup lookup, TokenStore tokens, Sealer sealer, Gate gate, AuditRecorder recorder) {
    this.lookup = lookup;
    this.tokens = tokens;
    this.sealer = sealer;
    this.gate = gate;
    this.trail = new AuditTrail(recorder);
  }

  /** One token, under the caller's {@code token:read}. */
  TokenView read(Caller caller, TokenId id) {
    return untilDecidedOnWhatHolds(() -> tryRead(caller, id));
  }

  private Optional<TokenView> tryRead(Caller caller, TokenId id) {
    Loaded loaded = lookup.load(Lookup.tokens(caller.keyHashes(), Set.of(id)));
    Caller present = gate.caller(loaded, caller.keyHashes());
    StoredToken stored =
        Optional.ofNullable(loaded.tokens().get(id)).orElseThrow(RefusedException::notFound);
    AccessTransform transform = decideRead(present, stored.token());
    return trail.record(
            List.of(readEntry(present, stored.token())),
            present.versions().with(List.of(stored.token())))
        ? Optional.of(view(present, stored, transform))
        : Optional.empty();
  }

  private AccessTransform decideRead(Caller caller, Token token) {
    Decision decision = caller.authority().decide(Permission.TOKEN_READ, token.traits());
    if (decision instanceof Allow allow) {
      return allow.transform();
    }
    throw trail.refusal(
        caller,
        EntityType.of(token.type()),
        token.id(),
        Operation.READ,
        "Token read",
        "The API key does not permit token:read on this token's containers.");
  }

  /** A page of what the caller may see, under {@code token:read} or else {@code token:search}. */
  Page<TokenView> list(Caller caller, TokenFilter filter, PageRequest request) {
    return untilDecidedOnWhatHolds(() -> tryList(caller, filter, request));
  }

  private Optional<Page<TokenView>> tryList(
      Caller caller, TokenFilter filter, PageRequest request) {
    Caller present =
        gate.caller(lookup.load(Lookup.caller(caller.keyHashes())), caller.keyHashes());
    TokenScope visible =
        present
            .authority()
            .scope(Permission.TOKEN_READ)
            .or(present.authority().scope(Permission.TOKEN_SEARCH));
    Page<StoredToken> page = tokens.list(present.tenantId(), filter, visible, request);
    List<Token> revealed =
        page.items().stream()
            .map(StoredToken::token)
            .filter(token -> listTransform(present, token) == AccessTransform.REVEAL)
            .toList();
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(
        AuditTrail.entry(
            present,
            EntityType.of(TokenType.TOKEN),
            AuditEntry.ALL_ENTITIES,
            Operation.SEARCH,
            "Tokens listed"));
    revealed.forEach(token -> entries.add(readEntry(present, token)));
    return trail.record(entries, present.versions().with(revealed))
        ? Optional.of(
            page.map(stored -> view(present, stored, listTransform(present, stored.token()))))
        : Optional.empty();
  }

  /** What is in scope is allowed under one of the two; a change meanwhile shows the least. */
  private static AccessTransform listTransform(Caller caller, Token token) {
    for (Permission permission : List.of(Permission.TOKEN_READ, Permission.TOKEN_SEARCH)) {
      if (caller.authority().decide(permission, token.traits()) instanceof Allow allow) {
        return allow.transform();
      }
    }
    return AccessTransform.REDACT;
  }

  /**
   * The raw data of tokens, for a destination, under {@code token:use} on each: all or none.
   *
   * @param ids as they were written; one that cannot be a token's is unknown like any other
   * @param proxyVersions the versions of the proxy that they are used through, if any
   * @param invocation recorded together with the uses
   */
  Map<TokenId, SensitiveValue> use(
      Caller caller, Set<String> ids, Versions proxyVersions, AuditEntry invocation) {
    return untilDecidedOnWhatHolds(() -> tryUse(caller, ids, proxyVersions, invocation));
  }

  private Optional<Map<TokenId, SensitiveValue>> tryUse(
      Caller caller, Set<String> ids, Versions proxyVersions, AuditEntry invocation) {
    Loaded loaded = lookup.load(Lookup.tokens(caller.keyHashes(), possible(ids)));
    Caller present = gate.caller(loaded, caller.keyHashes());
    requireAllKnown(ids, loaded);
    List<Token> used = loaded.tokens().values().stream().map(StoredToken::token).toList();
    requireAllUsable(present, used, invocation);
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(invocation);
    used.forEach(token -> entries.add(useEntry(present, token, "Token used")));
    Versions versions = present.versions().with(used).and(proxyVersions);
    return trail.record(entries, versions)
        ? Optional.of(openAll(present, loaded))
        : Optional.empty();
  }

  private static Set<TokenId> possible(Set<String> ids) {
    return ids.stream()
        .map(TokenId::parse)
        .flatMap(Optional::stream)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static void requireAllKnown(Set<String> ids, Loaded loaded) {
    Set<String> unknown = new TreeSet<>(ids);
    loaded.tokens().keySet().forEach(id -> unknown.remove(id.value()));
    if (!unknown.isEmpty()) {
      throw new RefusedException(
          FailureCause.UNKNOWN_TOKENS,
          "These tokens do not exist: "
              + unknown.stream().map(OpenTokens::shown).collect(Collectors.joining(", ")));
    }
  }

  /** What stands in an expression can be anything, of any length. */
  private static String shown(String id) {
    return TokenId.parse(id).map(TokenId::value).orElse("(an expression that names no token)");
  }

  private void requireAllUsable(Caller caller, List<Token> tokens, AuditEntry invocation) {
    List<Token> denied =
        tokens.stream()
            .filter(
                token ->
                    !caller.authority().decide(Permission.TOKEN_USE, token.traits()).isAllowed())
            .toList();
    if (denied.isEmpty()) {
      return;
    }
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(
        AuditTrail.entry(
            caller,
            invocation.entityType(),
            invocation.entityId(),
            Operation.INVOKE,
            "Proxy invocation denied"));
    denied.forEach(token -> entries.add(useEntry(caller, token, "Token use denied")));
    trail.record(entries);
    throw new RefusedException(
        FailureCause.TOKENS_FORBIDDEN,
        "The API key does not permit token:use on the containers of these tokens: "
            + String.join(
                ", ", denied.stream().map(token -> token.id().value()).sorted().toList()));
  }

  private Map<TokenId, SensitiveValue> openAll(Caller caller, Loaded loaded) {
    Map<TokenId, SensitiveValue> opened = new LinkedHashMap<>();
    loaded.tokens().forEach((id, stored) -> opened.put(id, open(caller, stored)));
    return opened;
  }

  private TokenView view(Caller caller, StoredToken stored, AccessTransform transform) {
    Optional<SensitiveValue> data =
        transform == AccessTransform.REVEAL ? Optional.of(open(caller, stored)) : Optional.empty();
    return new TokenView(stored.token(), data);
  }

  private SensitiveValue open(Caller caller, StoredToken stored) {
    Token token = stored.token();
    return sealer.open(
        caller.keys(), SealedField.tokenData(token.tenantId(), token.id()), stored.data());
  }

  private static AuditEntry readEntry(Caller caller, Token token) {
    return AuditTrail.entry(
        caller, EntityType.of(token.type()), token.id(), Operation.READ, "Token retrieved");
  }

  private static AuditEntry useEntry(Caller caller, Token token, String message) {
    return AuditTrail.entry(
        caller, EntityType.of(token.type()), token.id(), Operation.USE, message);
  }

  private static <T> T untilDecidedOnWhatHolds(Supplier<Optional<T>> attempt) {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Optional<T> result = attempt.get();
      if (result.isPresent()) {
        return result.get();
      }
    }
    throw new RefusedException(
        FailureCause.OVERLOADED, "What this request needs keeps changing; try again.");
  }
}
