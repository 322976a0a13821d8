package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.Expressions.References;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads, lists, searches, detokenizes and deletes tokens (interface, section 4).
 *
 * <p>Every method checks the caller's permission first, and records each operation and each missing
 * permission before it returns. Thread-safe.
 */
public final class VaultTokens {

  public static final Requirement READ = Requirement.anyOf(Permission.TOKEN_READ);
  public static final Requirement LIST =
      Requirement.anyOf(Permission.TOKEN_SEARCH, Permission.TOKEN_READ);
  public static final Requirement SEARCH = Requirement.anyOf(Permission.TOKEN_SEARCH);
  public static final Requirement DELETE = Requirement.anyOf(Permission.TOKEN_DELETE);

  /** The maximum number of different tokens in one template. */
  public static final int MAX_REFERENCES = 100;

  private final TokenStore tokens;
  private final RequestLookup lookup;
  private final TokenDecryptor tokenDecryptor;
  private final TokenDecisions decisions;
  private final Authenticator authenticator;
  private final TokenHasher hasher;
  private final Expressions expressions;
  private final AuditTrail trail;

  public VaultTokens(
      TokenStore tokens,
      RequestLookup lookup,
      TokenDecryptor tokenDecryptor,
      Authenticator authenticator,
      TokenHasher hasher,
      Expressions expressions,
      AuditRecorder recorder) {
    this.tokens = tokens;
    this.lookup = lookup;
    this.tokenDecryptor = tokenDecryptor;
    this.authenticator = authenticator;
    this.hasher = hasher;
    this.expressions = expressions;
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
  }

  /**
   * Returns one token.
   *
   * @param reservation the memory reservation for the token and the response
   * @throws RefusedException if it does not exist, or if it may not be read (recorded)
   */
  public TokenView read(AuthenticatedCaller caller, TokenId id, MemoryReservation reservation) {
    requireRead(caller);
    return tokenDecryptor.read(caller, id, AttemptReservation.toShow(reservation));
  }

  /** Returns one token without a memory limit. */
  public TokenView read(Caller caller, TokenId id) {
    return read(caller, id, MemoryReservation.UNBOUNDED);
  }

  /** Checks the permission of a {@link Caller}; a cached caller was checked when it was created. */
  private void requireRead(AuthenticatedCaller authenticated) {
    if (authenticated instanceof Caller caller) {
      trail.require(caller, READ);
    }
  }

  /**
   * Returns a page of the tokens that the caller may see; others are not counted.
   *
   * @param reservation the memory reservation for the tokens and the response
   */
  public Page<TokenView> list(
      Caller caller, TokenQuery query, PageRequest request, MemoryReservation reservation) {
    trail.require(caller, LIST);
    return list(
        caller,
        new Listing(
            query,
            may -> may.scope(Permission.TOKEN_READ).or(may.scope(Permission.TOKEN_SEARCH)),
            request,
            "Tokens listed"),
        reservation);
  }

  /** Returns a page of visible tokens without a memory limit. */
  public Page<TokenView> list(Caller caller, TokenQuery query, PageRequest request) {
    return list(caller, query, request, MemoryReservation.UNBOUNDED);
  }

  /**
   * Returns a page of the tokens that the caller may search; others are not counted.
   *
   * @param reservation the memory reservation for the tokens and the response
   */
  public Page<TokenView> search(
      Caller caller, TokenQuery query, PageRequest request, MemoryReservation reservation) {
    trail.require(caller, SEARCH);
    return list(
        caller,
        new Listing(query, may -> may.scope(Permission.TOKEN_SEARCH), request, "Tokens searched"),
        reservation);
  }

  /** Returns a page of searchable tokens without a memory limit. */
  public Page<TokenView> search(Caller caller, TokenQuery query, PageRequest request) {
    return search(caller, query, request, MemoryReservation.UNBOUNDED);
  }

  /**
   * Criteria for a list of tokens.
   *
   * @param visible maps the caller's permissions to the tokens that it may see
   * @param message the message of the audit entry
   */
  private record Listing(
      TokenQuery query,
      Function<Authority, TokenScope> visible,
      PageRequest request,
      String message) {}

  /** Returns a page of tokens, each under {@code token:read} or else {@code token:search}. */
  private Page<TokenView> list(Caller caller, Listing listing, MemoryReservation reservation) {
    AttemptReservation memory = AttemptReservation.toShow(reservation);
    return OptimisticExecutor.repeatWhileOutdated(() -> tryList(caller, listing, memory));
  }

  private Optional<Page<TokenView>> tryList(
      Caller caller, Listing listing, AttemptReservation memory) {
    Caller present = authenticator.reload(caller);
    Page<StoredToken> page = page(present, listing, memory);
    if (!page.items().stream()
        .allMatch(stored -> OptimisticExecutor.hasKeys(present.keys(), stored))) {
      return Optional.empty(); // The keys were rotated after the caller was loaded.
    }
    List<Token> revealed = tokensShown(present, page, AccessTransform.REVEAL);
    decisions.requireMayLeave(present, revealed);
    List<Token> opened = new ArrayList<>(revealed);
    opened.addAll(tokensShown(present, page, AccessTransform.MASK));
    if (!trail.record(
        entries(present, revealed, listing.message()), present.versionsWithKeys().with(opened))) {
      return Optional.empty();
    }
    TokenDecisions.disclose(present, revealed);
    return Optional.of(views(present, page, memory));
  }

  private Page<StoredToken> page(Caller caller, Listing listing, AttemptReservation memory) {
    try {
      return tokens.list(
          caller.tenantId(),
          listing.query(),
          listing.visible().apply(caller.authority()),
          listing.request(),
          memory.toLoad());
    } catch (RefusedException tooMuch) {
      // A memory failure reveals that the query matched something, so the search is recorded.
      trail.record(List.of(searchEntry(caller, listing.message())));
      throw tooMuch;
    }
  }

  private static AuditEntry searchEntry(Caller caller, String message) {
    return AuditTrail.searchEntry(
        caller.tenantId(), caller.actor(), EntityType.of(TokenType.TOKEN), message);
  }

  private static List<AuditEntry> entries(Caller caller, List<Token> revealed, String message) {
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(searchEntry(caller, message));
    revealed.forEach(token -> entries.add(TokenDecisions.readEntry(caller, token)));
    return entries;
  }

  private Page<TokenView> views(
      Caller caller, Page<StoredToken> page, MemoryReservation reservation) {
    Evaluator evaluator = tokenDecryptor.evaluator();
    return page.map(
        stored ->
            tokenDecryptor.view(
                evaluator,
                caller,
                stored,
                TokenDecisions.listTransform(caller, stored.token().traits()),
                reservation));
  }

  private static List<Token> tokensShown(
      Caller caller, Page<StoredToken> page, AccessTransform transform) {
    return page.items().stream()
        .map(StoredToken::token)
        .filter(token -> TokenDecisions.listTransform(caller, token.traits()) == transform)
        .toList();
  }

  /** Returns a query for tokens of which a search index has exactly this value. */
  public TokenQuery indexedAs(Caller caller, String value) {
    return new TokenQuery.IndexIn(
        hasher.searchIndexes(caller.keys(), value).stream()
            .map(TokenHash::hex)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * Replaces the expressions that name tokens by the data that the caller may see.
   *
   * @param reservation the memory reservation for the tokens and the response
   * @throws io.tokenvault.domain.failure.VaultException if an expression is invalid, names a token
   *     that does not exist or that the caller may not read, or there are more than {@link
   *     #MAX_REFERENCES} tokens
   */
  public JsonValue detokenize(
      AuthenticatedCaller caller, JsonValue template, MemoryReservation reservation) {
    requireRead(caller);
    return tokenDecryptor.detokenize(
        caller, references(template), AttemptReservation.toShow(reservation));
  }

  /** Replaces expressions without a memory limit. */
  public JsonValue detokenize(Caller caller, JsonValue template) {
    return detokenize(caller, template, MemoryReservation.UNBOUNDED);
  }

  private References references(JsonValue template) {
    References references = expressions.references(template);
    if (references.tokenIds().size() > MAX_REFERENCES) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS,
          "A request may name at most " + MAX_REFERENCES + " different tokens.");
    }
    return references;
  }

  /**
   * Permanently deletes a token and its data; its audit entries stay.
   *
   * @param expected the version that the token must have
   * @param reservation the memory reservation for the token
   * @throws RefusedException if it does not exist, has another version, or may not be deleted
   *     (recorded)
   */
  public void delete(
      Caller caller, TokenId id, ExpectedVersion expected, MemoryReservation reservation) {
    trail.require(caller, DELETE);
    AttemptReservation memory = AttemptReservation.toUse(reservation);
    OptimisticExecutor.repeatWhileOutdated(() -> tryDelete(caller, id, expected, memory));
  }

  /** Deletes a token regardless of its version and without a memory limit. */
  public void delete(Caller caller, TokenId id) {
    delete(caller, id, ExpectedVersion.ANY, MemoryReservation.UNBOUNDED);
  }

  private Optional<Token> tryDelete(
      Caller caller, TokenId id, ExpectedVersion expected, AttemptReservation memory) {
    LookupResult loaded = lookup.load(caller.with(Set.of(id)), memory.toLoad());
    Caller present = authenticator.reload(caller, loaded);
    Token token =
        Optional.ofNullable(loaded.tokens().get(id))
            .map(StoredToken::token)
            .orElseThrow(RefusedException::notFound);
    decisions.require(present, Permission.TOKEN_DELETE, token, Operation.DELETE, "Token deletion");
    expected.require(token.version());
    AuditEntry entry =
        AuditTrail.entry(
            present, EntityType.of(token.type()), id, Operation.DELETE, "Token deleted");
    return tokens.delete(present.tenantId(), id, token.version(), entry)
        ? Optional.of(token)
        : Optional.empty();
  }
}
