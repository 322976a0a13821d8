package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Lists pages of tokens. Each token is shown as the caller may see it, after that was recorded. */
final class ListTokens {

  private final TokenStore tokens;
  private final OpenTokens door;
  private final Authenticator gate;
  private final AuditTrail trail;
  private final TokenDecisions decisions;

  ListTokens(TokenStore tokens, OpenTokens door, Authenticator gate, AuditTrail trail) {
    this.tokens = tokens;
    this.door = door;
    this.gate = gate;
    this.trail = trail;
    this.decisions = new TokenDecisions(trail);
  }

  /**
   * Criteria for a list of tokens.
   *
   * @param visible maps the caller's permissions to the tokens that it may see
   * @param message the message of the audit entry
   */
  record Listing(
      TokenQuery query,
      Function<Authority, TokenScope> visible,
      PageRequest request,
      String message) {}

  /** Returns a page of tokens, each under {@code token:read} or else {@code token:search}. */
  Page<TokenView> list(Caller caller, Listing listing, MemoryReservation room) {
    AttemptReservation need = AttemptReservation.toShow(room);
    return OptimisticExecutor.repeatWhileOutdated(() -> tryList(caller, listing, need));
  }

  private Optional<Page<TokenView>> tryList(
      Caller caller, Listing listing, AttemptReservation need) {
    Caller present = gate.reload(caller);
    Page<StoredToken> page = page(present, listing, need);
    if (!page.items().stream()
        .allMatch(stored -> OptimisticExecutor.hasKeys(present.keys(), stored))) {
      return Optional.empty(); // The keys were rotated after the caller was loaded.
    }
    List<Token> revealed = shown(present, page, AccessTransform.REVEAL);
    decisions.requireFreeToGo(present, revealed);
    List<Token> opened = new ArrayList<>(revealed);
    opened.addAll(shown(present, page, AccessTransform.MASK));
    if (!trail.record(
        entries(present, revealed, listing.message()), present.versionsWithKeys().with(opened))) {
      return Optional.empty();
    }
    TokenDecisions.disclose(present, revealed);
    return Optional.of(views(present, page, need));
  }

  private Page<StoredToken> page(Caller caller, Listing listing, AttemptReservation need) {
    try {
      return tokens.list(
          caller.tenantId(),
          listing.query(),
          listing.visible().apply(caller.authority()),
          listing.request(),
          need.toLoad());
    } catch (RefusedException tooMuch) {
      // A memory failure reveals that the query matched something, so the search is recorded.
      trail.record(List.of(searchEntry(caller, listing.message())));
      throw tooMuch;
    }
  }

  private static AuditEntry searchEntry(Caller caller, String message) {
    return AuditTrail.entry(
        caller, EntityType.of(TokenType.TOKEN), AuditEntry.ALL_ENTITIES, Operation.SEARCH, message);
  }

  private static List<AuditEntry> entries(Caller caller, List<Token> revealed, String message) {
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(searchEntry(caller, message));
    revealed.forEach(token -> entries.add(TokenDecisions.readEntry(caller, token)));
    return entries;
  }

  private Page<TokenView> views(Caller caller, Page<StoredToken> page, MemoryReservation room) {
    Evaluator evaluator = door.evaluator();
    return page.map(
        stored ->
            door.view(
                evaluator,
                caller,
                stored,
                TokenDecisions.listTransform(caller, stored.token().traits()),
                room));
  }

  private static List<Token> shown(
      Caller caller, Page<StoredToken> page, AccessTransform transform) {
    return page.items().stream()
        .map(StoredToken::token)
        .filter(token -> TokenDecisions.listTransform(caller, token.traits()) == transform)
        .toList();
  }
}
