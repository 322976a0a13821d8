package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.store.TokenStore.Creation.Stale;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.NewToken.Deduplication;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AllContainersCheck;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Stores validated drafts, each token with its audit entry, all or none, and returns them as their
 * creator may see them.
 */
final class StoreTokens {

  /** The audit message where deduplication neither returned nor created a token. */
  static final String COMPARED = "Tokens searched for equal data";

  private final TokenStore tokens;
  private final TokenContents contents;
  private final TokenDraftValidator drafts;
  private final OpenTokens door;
  private final AuditTrail trail;

  StoreTokens(
      TokenStore tokens,
      TokenContents contents,
      TokenDraftValidator drafts,
      OpenTokens door,
      AuditTrail trail) {
    this.tokens = tokens;
    this.contents = contents;
    this.drafts = drafts;
    this.door = door;
    this.trail = trail;
  }

  /**
   * Stores the tokens, with other ids where aliases are taken.
   *
   * @param need reserves memory for existing tokens that replace new ones
   * @return empty if a precondition no longer holds; then nothing was stored
   */
  Optional<List<CreatedToken>> store(
      Evaluator evaluator, Caller caller, List<CheckedDraft> checked, AttemptReservation need) {
    List<CheckedDraft> wanted = new ArrayList<>(checked);
    Preconditions decidedOn = caller.versions().withNewest(caller.keys());
    while (true) {
      List<AccessTransform> transforms = decide(caller, wanted);
      Creation creation = create(caller, encrypt(caller, wanted), decidedOn, need);
      if (creation instanceof Stale) {
        return Optional.empty();
      }
      if (creation instanceof Done done) {
        return Optional.of(views(evaluator, caller, wanted, transforms, done, need));
      }
      int taken = ((IdTaken) creation).index();
      if (!wanted.get(taken).draft().hasAlias()) {
        recordComparisons(
            trail,
            wanted.stream().map(CheckedDraft::draft).toList(),
            type ->
                AuditTrail.entry(
                    caller, type, AuditEntry.ALL_ENTITIES, Operation.SEARCH, COMPARED));
      }
      wanted.set(taken, drafts.withOtherId(evaluator, wanted.get(taken)));
    }
  }

  private List<AccessTransform> decide(Caller caller, List<CheckedDraft> wanted) {
    List<AccessTransform> transforms = new ArrayList<>();
    for (CheckedDraft each : wanted) {
      transforms.add(drafts.decideCreate(caller, each.placed(), each.settings(), each.id()));
    }
    return transforms;
  }

  private List<NewToken> encrypt(Caller caller, List<CheckedDraft> wanted) {
    List<NewToken> encrypted = new ArrayList<>();
    for (CheckedDraft each : wanted) {
      encrypted.add(newToken(caller, each));
    }
    return encrypted;
  }

  /**
   * Stores the tokens. Unless the result is {@code Stale}, even if it is an exception, the request
   * may not be repeated.
   */
  private Creation create(
      Caller caller, List<NewToken> encrypted, Preconditions decidedOn, AttemptReservation need) {
    boolean stale = false;
    try {
      Creation creation = tokens.create(encrypted, decidedOn, AuditTrail::expiry, need.toLoad());
      stale = creation instanceof Stale;
      return creation;
    } finally {
      if (!stale) {
        caller.settle();
      }
    }
  }

  /**
   * Records that an id was taken. Which id was taken reveals which data exists, since deduplicated
   * content that exists needs no free id.
   *
   * @param entry returns the entry for tokens of a type
   */
  static void recordComparisons(
      AuditTrail trail, List<TokenDraft> wanted, Function<EntityType, AuditEntry> entry) {
    Set<EntityType> compared = new LinkedHashSet<>();
    for (TokenDraft draft : wanted) {
      if (draft.isDeduplicated()) {
        compared.add(EntityType.of(draft.knownType()));
      }
    }
    if (!compared.isEmpty()) {
      trail.record(compared.stream().map(entry).toList());
    }
  }

  private NewToken newToken(Caller caller, CheckedDraft checked) {
    TokenDraft draft = checked.draft();
    EntityType type = EntityType.of(draft.knownType());
    return new NewToken(
        checked.id(),
        caller.tenantId(),
        draft.knownType(),
        checked.settings(),
        contents.seal(caller.keys(), checked.id(), checked.evaluated()),
        caller.id(),
        AuditTrail.entry(caller, type, checked.id(), Operation.CREATE, "Token created"),
        draft.isDeduplicated() ? Optional.of(deduplication(caller, checked)) : Optional.empty());
  }

  private Deduplication deduplication(Caller caller, CheckedDraft checked) {
    return new Deduplication(
        contents.fingerprints(caller.keys(), checked.evaluated()),
        token ->
            AllContainersCheck.decide(caller, Permission.TOKEN_CREATE, token.traits()).isAllowed(),
        token -> TokenDecisions.readEntry(caller, token));
  }

  /** Returns each token under the transform that its creation was allowed with. */
  private List<CreatedToken> views(
      Evaluator evaluator,
      Caller caller,
      List<CheckedDraft> wanted,
      List<AccessTransform> transforms,
      Done done,
      MemoryReservation memory) {
    List<CreatedToken> created = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Outcome outcome = done.outcomes().get(i);
      StoredToken stored = outcome.token();
      TokenView view =
          outcome.isNew()
              ? contents
                  .evaluation()
                  .view(
                      evaluator,
                      stored.token(),
                      wanted.get(i).evaluated().content(),
                      transforms.get(i))
              : found(evaluator, caller, stored, memory);
      created.add(new CreatedToken(view, outcome.isNew()));
    }
    return List.copyOf(created);
  }

  /**
   * Returns a token found by deduplication. The caller knows the data that it sent, but not the
   * rest of the token, so both create and read permissions limit the view.
   */
  private TokenView found(
      Evaluator evaluator, Caller caller, StoredToken stored, MemoryReservation memory) {
    Token token = stored.token();
    Decision decision =
        Decision.weaker(
            AllContainersCheck.decide(caller, Permission.TOKEN_CREATE, token.traits()),
            caller.authority().decide(Permission.TOKEN_READ, token.traits()));
    if (!(decision instanceof Decision.Allow allow)) {
      return TokenView.brief(token);
    }
    AccessTransform shown = TokenDecisions.freeToGo(caller, token, allow.transform());
    if (shown == AccessTransform.REVEAL) {
      TokenDecisions.disclose(caller, List.of(token));
    }
    return door.view(evaluator, caller, stored, shown, memory);
  }
}
