package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
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
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
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

  private static final int MAX_ALIASES = 10;

  private final TokenStore tokens;
  private final TokenContents contents;
  private final TokenEvaluation evaluation;
  private final OpenTokens openTokens;
  private final AuditTrail trail;

  StoreTokens(TokenStore tokens, TokenContents contents, OpenTokens openTokens, AuditTrail trail) {
    this.tokens = tokens;
    this.contents = contents;
    this.evaluation = contents.evaluation();
    this.openTokens = openTokens;
    this.trail = trail;
  }

  /**
   * A validated draft that is ready to be encrypted.
   *
   * @param collisions the number of generated ids that were taken
   */
  record CheckedDraft(
      TokenDraftItem item,
      TokenSettings settings,
      Evaluated evaluated,
      TokenId id,
      int collisions) {

    /** Returns a copy with another id, because the previous one was taken. */
    CheckedDraft withId(TokenId other) {
      return new CheckedDraft(item, settings, evaluated, other, collisions + 1);
    }

    TokenDraft draft() {
      return item.draft();
    }
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
      wanted.set(taken, withOtherId(evaluator, wanted.get(taken)));
    }
  }

  private List<AccessTransform> decide(Caller caller, List<CheckedDraft> wanted) {
    List<AccessTransform> transforms = new ArrayList<>();
    for (CheckedDraft each : wanted) {
      transforms.add(decideCreate(caller, each.item(), each.settings(), each.id()));
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
        contents.encrypt(caller.keys(), checked.id(), checked.evaluated()),
        caller.id(),
        AuditTrail.entry(caller, type, checked.id(), Operation.CREATE, "Token created"),
        draft.isDeduplicated() ? Optional.of(deduplication(caller, checked)) : Optional.empty());
  }

  private Deduplication deduplication(Caller caller, CheckedDraft checked) {
    return new Deduplication(
        contents.fingerprints(caller.keys(), checked.evaluated()),
        token ->
            TokenDecisions.decideInEachContainer(caller, Permission.TOKEN_CREATE, token.traits())
                .isAllowed(),
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
              ? evaluation.view(
                  evaluator, stored.token(), wanted.get(i).evaluated().content(), transforms.get(i))
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
            TokenDecisions.decideInEachContainer(caller, Permission.TOKEN_CREATE, token.traits()),
            caller.authority().decide(Permission.TOKEN_READ, token.traits()));
    if (!(decision instanceof Decision.Allow allow)) {
      return TokenView.brief(token);
    }
    AccessTransform shown = TokenDecisions.freeToGo(caller, token, allow.transform());
    if (shown == AccessTransform.REVEAL) {
      TokenDecisions.disclose(caller, List.of(token));
    }
    return openTokens.view(evaluator, caller, stored, shown, memory);
  }

  /** Returns the id of a new token; empty if a violation was added. */
  Optional<TokenId> newId(Evaluator evaluator, TokenDraft draft, Violations violations) {
    if (!draft.hasAlias()) {
      return Optional.of(draft.toId());
    }
    Optional<String> alias =
        evaluation.alias(evaluator, draft.id(), draft.knownType(), draft.data(), violations);
    Optional<TokenId> id = alias.flatMap(TokenId::parseNew);
    if (alias.isPresent() && id.isEmpty()) {
      violations.add("id", "gives a text that cannot be an id; an id " + TokenId.SHAPE);
    }
    return id;
  }

  /**
   * Returns the weakest transform that {@code token:create} allows in the token's containers.
   *
   * @throws RefusedException if a container is not allowed, which is recorded
   */
  AccessTransform decideCreate(
      Caller caller, TokenDraftItem item, TokenSettings settings, TokenId id) {
    TokenTraits traits = new TokenTraits(id.value(), Set.copyOf(settings.containers()));
    Decision decision =
        TokenDecisions.decideInEachContainer(caller, Permission.TOKEN_CREATE, traits);
    if (decision instanceof Decision.Allow allow) {
      return allow.transform();
    }
    throw trail.refusal(
        caller,
        EntityType.of(item.draft().knownType()),
        id,
        Operation.CREATE,
        "Token creation",
        "The API key does not permit token:create in "
            + TokenDecisions.missingContainers(caller, Permission.TOKEN_CREATE, traits)
            + ", which the token"
            + item.place()
            + " is to be in.");
  }

  /**
   * Returns the draft with another alias, or after many collisions with a random id.
   *
   * @throws RefusedException with cause {@code TOKEN_ID_TAKEN} if the client chose the id
   */
  private CheckedDraft withOtherId(Evaluator evaluator, CheckedDraft checked) {
    if (!checked.draft().hasAlias()) {
      throw new RefusedException(
          FailureCause.TOKEN_ID_TAKEN,
          "A token with this id exists"
              + checked.item().place()
              + "; choose another or leave it out.");
    }
    return checked.collisions() < MAX_ALIASES
        ? checked.withId(
            newId(evaluator, checked.draft(), new Violations()).orElseGet(TokenId::random))
        : checked.withId(TokenId.random());
  }
}
