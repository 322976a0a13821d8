package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Expressions.References;
import io.tokenvault.ports.spi.KeyPurpose;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.TokenStore;
import io.tokenvault.ports.spi.Versions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one door to plaintext: decides, records, waits until the record is durable, and only then
 * opens. Where something changed between decision and record, it decides anew. No other class may
 * open a token's seal.
 */
public final class OpenTokens {

  private final RequestLookup lookup;
  private final TokenStore tokens;
  private final TokenContents contents;
  private final Gate gate;
  private final AuditTrail trail;

  public OpenTokens(
      RequestLookup lookup,
      TokenStore tokens,
      TokenContents contents,
      Gate gate,
      AuditRecorder recorder) {
    this.lookup = lookup;
    this.tokens = tokens;
    this.contents = contents;
    this.gate = gate;
    this.trail = new AuditTrail(recorder);
  }

  /** One token, under the caller's {@code token:read}. */
  TokenView read(Caller caller, TokenId id) {
    return Attempts.untilDecidedOnWhatHolds(() -> tryRead(caller, id));
  }

  private Optional<TokenView> tryRead(Caller caller, TokenId id) {
    Loaded loaded = lookup.load(Lookup.tokens(caller.keyHashes(), Set.of(id)));
    Caller present = gate.caller(loaded, caller.keyHashes());
    StoredToken stored =
        Optional.ofNullable(loaded.tokens().get(id)).orElseThrow(RefusedException::notFound);
    AccessTransform transform = decideRead(present, stored.token());
    return trail.record(
            List.of(readEntry(present, stored.token())),
            present.versionsWithKeys().with(List.of(stored.token())))
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

  /**
   * A page of what the caller may see, each under {@code token:read} or else {@code token:search}.
   *
   * @param visible which tokens to show, by what the caller may do
   * @param message what is recorded
   */
  Page<TokenView> list(
      Caller caller,
      TokenQuery query,
      Function<Authority, TokenScope> visible,
      PageRequest request,
      String message) {
    return Attempts.untilDecidedOnWhatHolds(
        () -> tryList(caller, query, visible, request, message));
  }

  private Optional<Page<TokenView>> tryList(
      Caller caller,
      TokenQuery query,
      Function<Authority, TokenScope> visible,
      PageRequest request,
      String message) {
    Caller present =
        gate.caller(lookup.load(Lookup.caller(caller.keyHashes())), caller.keyHashes());
    Page<StoredToken> page =
        tokens.list(present.tenantId(), query, visible.apply(present.authority()), request);
    if (!page.items().stream().allMatch(stored -> hasKeys(present.keys(), stored))) {
      return Optional.empty(); // The keys were rotated after the caller was loaded.
    }
    List<Token> revealed = shown(present, page, AccessTransform.REVEAL);
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(
        AuditTrail.entry(
            present,
            EntityType.of(TokenType.TOKEN),
            AuditEntry.ALL_ENTITIES,
            Operation.SEARCH,
            message));
    revealed.forEach(token -> entries.add(readEntry(present, token)));
    List<Token> opened = new ArrayList<>(revealed);
    opened.addAll(shown(present, page, AccessTransform.MASK));
    return trail.record(entries, present.versionsWithKeys().with(opened))
        ? Optional.of(
            page.map(
                stored -> view(present, stored, listTransform(present, stored.token().traits()))))
        : Optional.empty();
  }

  private static boolean hasKeys(TenantKeys keys, StoredToken stored) {
    return Stream.of(Optional.of(stored.data()), stored.shortLived(), stored.expressions())
        .flatMap(Optional::stream)
        .allMatch(each -> keys.version(KeyPurpose.DATA, each.keyVersion()).isPresent());
  }

  private static List<Token> shown(
      Caller caller, Page<StoredToken> page, AccessTransform transform) {
    return page.items().stream()
        .map(StoredToken::token)
        .filter(token -> listTransform(caller, token.traits()) == transform)
        .toList();
  }

  /** What is in scope is allowed under one of the two; a change meanwhile shows the least. */
  static AccessTransform listTransform(Caller caller, TokenTraits token) {
    for (Permission permission : List.of(Permission.TOKEN_READ, Permission.TOKEN_SEARCH)) {
      if (caller.authority().decide(permission, token) instanceof Allow allow) {
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
    return Attempts.untilDecidedOnWhatHolds(() -> tryUse(caller, ids, proxyVersions, invocation));
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
    used.forEach(token -> entries.add(entry(present, token, Operation.USE, "Token used")));
    Versions versions = present.versionsWithKeys().with(used).and(proxyVersions);
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
    List<Token> denied = denied(caller, Permission.TOKEN_USE, tokens);
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
    denied.forEach(token -> entries.add(entry(caller, token, Operation.USE, "Token use denied")));
    trail.record(entries);
    throw forbidden(Permission.TOKEN_USE, denied);
  }

  private static List<Token> denied(Caller caller, Permission permission, List<Token> tokens) {
    return tokens.stream()
        .filter(token -> !caller.authority().decide(permission, token.traits()).isAllowed())
        .toList();
  }

  private static RefusedException forbidden(Permission permission, List<Token> denied) {
    return new RefusedException(
        FailureCause.TOKENS_FORBIDDEN,
        "The API key does not permit "
            + permission.type()
            + " on the containers of these tokens: "
            + String.join(
                ", ", denied.stream().map(token -> token.id().value()).sorted().toList()));
  }

  private Map<TokenId, SensitiveValue> openAll(Caller caller, Loaded loaded) {
    Map<TokenId, SensitiveValue> opened = new LinkedHashMap<>();
    loaded
        .tokens()
        .forEach((id, stored) -> opened.put(id, contents.openData(caller.keys(), stored)));
    return opened;
  }

  /**
   * A JSON value with the tokens that it names, each under the caller's {@code token:read}: all or
   * none.
   */
  JsonValue detokenize(Caller caller, References references) {
    return Attempts.untilDecidedOnWhatHolds(() -> tryDetokenize(caller, references));
  }

  private Optional<JsonValue> tryDetokenize(Caller caller, References references) {
    Set<String> ids = references.tokenIds();
    Loaded loaded = lookup.load(Lookup.tokens(caller.keyHashes(), possible(ids)));
    Caller present = gate.caller(loaded, caller.keyHashes());
    requireAllKnown(ids, loaded);
    List<Token> read = loaded.tokens().values().stream().map(StoredToken::token).toList();
    requireAllReadable(present, read);
    List<AuditEntry> entries = read.stream().map(token -> readEntry(present, token)).toList();
    return entries.isEmpty() || trail.record(entries, present.versionsWithKeys().with(read))
        ? Optional.of(references.fill(shown(present, loaded)))
        : Optional.empty();
  }

  private void requireAllReadable(Caller caller, List<Token> tokens) {
    List<Token> denied = denied(caller, Permission.TOKEN_READ, tokens);
    if (denied.isEmpty()) {
      return;
    }
    trail.record(
        denied.stream()
            .map(token -> entry(caller, token, Operation.READ, "Token read denied"))
            .toList());
    throw forbidden(Permission.TOKEN_READ, denied);
  }

  private Map<String, JsonValue> shown(Caller caller, Loaded loaded) {
    Map<String, JsonValue> values = new LinkedHashMap<>();
    loaded
        .tokens()
        .forEach(
            (id, stored) ->
                values.put(
                    id.value(),
                    contents.shown(caller.keys(), stored, readTransform(caller, stored.token()))));
    return values;
  }

  private static AccessTransform readTransform(Caller caller, Token token) {
    return caller.authority().decide(Permission.TOKEN_READ, token.traits()) instanceof Allow allow
        ? allow.transform()
        : AccessTransform.REDACT;
  }

  /**
   * What a change starts from. Nothing of it may leave before the change, and with it its entry, is
   * durable.
   */
  TokenContent contentToChange(Caller caller, StoredToken stored) {
    return contents.open(caller.keys(), stored);
  }

  /** A token under a transform that was decided on and recorded. */
  TokenView view(Caller caller, StoredToken stored, AccessTransform transform) {
    return shows(transform, stored)
        ? contents.view(stored.token(), contents.open(caller.keys(), stored), transform)
        : TokenView.redacted(stored.token());
  }

  /** What shows nothing is not opened. */
  private static boolean shows(AccessTransform transform, StoredToken stored) {
    return switch (transform) {
      case REDACT -> false;
      case MASK -> stored.expressions().isPresent() || stored.token().type().hasDefaultMask();
      case REVEAL -> true;
    };
  }

  static AuditEntry readEntry(Caller caller, Token token) {
    return entry(caller, token, Operation.READ, "Token retrieved");
  }

  private static AuditEntry entry(Caller caller, Token token, Operation operation, String message) {
    return AuditTrail.entry(caller, EntityType.of(token.type()), token.id(), operation, message);
  }
}
