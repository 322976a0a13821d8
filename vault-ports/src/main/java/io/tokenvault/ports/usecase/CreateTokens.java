package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Expressions.Evaluator;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.NewToken.Deduplication;
import io.tokenvault.ports.spi.TokenHash;
import io.tokenvault.ports.spi.TokenStore;
import io.tokenvault.ports.spi.TokenStore.Creation;
import io.tokenvault.ports.spi.TokenStore.Creation.Done;
import io.tokenvault.ports.spi.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.spi.TokenStore.Creation.Stale;
import io.tokenvault.ports.spi.TokenStore.Outcome;
import io.tokenvault.ports.spi.Versions;
import io.tokenvault.ports.usecase.TokenEvaluation.Evaluated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes tokens, one or many at once. */
public final class CreateTokens {

  public static final Requirement CREATE = Requirement.anyOf(Permission.TOKEN_CREATE);

  /** How many tokens one call may make. */
  public static final int MAX_TOKENS = 100;

  private static final int MAX_ALIASES = 10;

  private final TokenStore tokens;
  private final TokenContents contents;
  private final TokenEvaluation evaluation;
  private final OpenTokens door;
  private final Gate gate;
  private final AuditTrail trail;

  public CreateTokens(
      TokenStore tokens,
      TokenContents contents,
      OpenTokens door,
      Gate gate,
      AuditRecorder recorder) {
    this.tokens = tokens;
    this.gate = gate;
    this.contents = contents;
    this.evaluation = contents.evaluation();
    this.door = door;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Makes a token, or gives one of the same type and content where the draft asks for that. The
   * caller needs {@code token:create} on every container of it.
   *
   * @param shape what is wrong already with the draft's shape; told together with the rest
   */
  public CreatedToken create(Caller caller, TokenDraft draft, Violations shape) {
    return createAll(caller, List.of(new PlacedDraft("", draft)), shape).get(0);
  }

  /** The same for a caller that is recognised, who has {@link #CREATE} by that. */
  public CreatedToken create(RecognisedCaller recognised, TokenDraft draft, Violations shape) {
    return createAll(recognised, List.of(new PlacedDraft("", draft)), shape).get(0);
  }

  /**
   * The same for several: all or none.
   *
   * @param drafts at most {@link #MAX_TOKENS}
   */
  public List<CreatedToken> createAll(Caller admitted, List<PlacedDraft> drafts, Violations shape) {
    requireFew(drafts);
    return Attempts.untilDecidedOnWhatHolds(
        () -> {
          // The body may have taken long to arrive, and rights and keys have changed meanwhile.
          Caller caller = gate.again(admitted);
          trail.require(caller, CREATE);
          return tryCreate(caller, drafts, shape, Standing.settled());
        });
  }

  /** The same for a caller that is recognised, who has {@link #CREATE} by that. */
  public List<CreatedToken> createAll(
      RecognisedCaller recognised, List<PlacedDraft> drafts, Violations shape) {
    requireFew(drafts);
    return recognised.standing().isProvisional()
            && drafts.stream().noneMatch(each -> each.draft().isDeduplicated())
        ? createFromMemory(recognised, drafts, shape)
            .orElseGet(() -> createAll(gate.confirm(recognised), drafts, shape))
        : createAll(gate.confirm(recognised), drafts, shape);
  }

  /** Empty if it has to be decided anew, and nothing was stored. */
  private Optional<List<CreatedToken>> createFromMemory(
      RecognisedCaller recognised, List<PlacedDraft> drafts, Violations shape) {
    Standing standing = Standing.provisional();
    boolean stale = false;
    try {
      Optional<List<CreatedToken>> created =
          tryCreate(recognised.caller(), drafts, shape, standing);
      stale = created.isEmpty();
      return created;
    } catch (VaultException refused) {
      if (standing.isProvisional()) {
        return Optional.empty();
      }
      throw refused;
    } finally {
      if (!stale && !standing.isProvisional()) {
        recognised.standing().settle();
      }
    }
  }

  /** Empty if what was decided on does not hold any more. */
  private Optional<List<CreatedToken>> tryCreate(
      Caller caller, List<PlacedDraft> drafts, Violations shape, Standing standing) {
    Evaluator evaluator = evaluation.evaluator();
    AuditTrail refusals = refusals(standing);
    List<CheckedDraft> checked = new ArrayList<>();
    for (PlacedDraft each : drafts) {
      Violations found = new Violations();
      check(evaluator, caller, each, found, refusals).ifPresent(checked::add);
      shape.addAll(each.path(), found);
    }
    shape.throwIfAny();
    return checked.isEmpty() ? nothing(standing) : store(evaluator, caller, checked, standing);
  }

  private AuditTrail refusals(Standing standing) {
    return standing.isProvisional() ? trail.onConditionOnly() : trail;
  }

  /** Nothing is stored, so that nothing is confirmed. */
  private static Optional<List<CreatedToken>> nothing(Standing standing) {
    return standing.isProvisional() ? Optional.empty() : Optional.of(List.of());
  }

  private static void requireFew(List<PlacedDraft> drafts) {
    if (drafts.size() > MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS, "A request may make at most " + MAX_TOKENS + " tokens.");
    }
  }

  /** Empty if a violation was added. What may not be made is not evaluated, but for its alias. */
  private Optional<CheckedDraft> check(
      Evaluator evaluator,
      Caller caller,
      PlacedDraft placed,
      Violations violations,
      AuditTrail refusals) {
    TokenDraft draft = placed.draft();
    draft.check(caller.now(), violations);
    if (!violations.isEmpty()) {
      return Optional.empty();
    }
    TokenSettings settings = draft.toSettings();
    Optional<TokenId> id = newId(evaluator, draft, violations);
    id.ifPresent(each -> decideCreate(caller, placed, settings, each, refusals));
    TokenContent content = new TokenContent(draft.data(), draft.toExpressions());
    Optional<Evaluated> evaluated =
        evaluation.evaluate(evaluator, draft.knownType(), settings.metadata(), content, violations);
    return violations.isEmpty()
        ? Optional.of(
            new CheckedDraft(placed, settings, evaluated.orElseThrow(), id.orElseThrow(), 0))
        : Optional.empty();
  }

  /** Empty if a violation was added. */
  private Optional<TokenId> newId(Evaluator evaluator, TokenDraft draft, Violations violations) {
    if (!draft.hasAlias()) {
      return Optional.of(draft.toId());
    }
    Optional<String> alias =
        evaluation.alias(evaluator, draft.id(), draft.knownType(), draft.data(), violations);
    Optional<TokenId> id = alias.flatMap(TokenId::parse);
    if (alias.isPresent() && id.isEmpty()) {
      violations.add("id", "gives a text that cannot be an id; an id " + TokenId.SHAPE);
    }
    return id;
  }

  /** The weakest of what the caller may see of a token in each of the containers. */
  private static AccessTransform decideCreate(
      Caller caller, PlacedDraft placed, TokenSettings settings, TokenId id, AuditTrail refusals) {
    TokenTraits traits = new TokenTraits(id.value(), Set.copyOf(settings.containers()));
    Decision decision = EveryContainer.decide(caller, Permission.TOKEN_CREATE, traits);
    if (decision instanceof Decision.Allow allow) {
      return allow.transform();
    }
    throw refusals.refusal(
        caller,
        EntityType.of(placed.draft().knownType()),
        id,
        Operation.CREATE,
        "Token creation",
        "The API key does not permit token:create on every container of the token"
            + placed.place()
            + ".");
  }

  private Optional<List<CreatedToken>> store(
      Evaluator evaluator, Caller caller, List<CheckedDraft> checked, Standing standing) {
    List<CheckedDraft> wanted = new ArrayList<>(checked);
    Versions decidedOn = caller.versions().withNewest(caller.keys());
    while (true) {
      AuditTrail refusals = refusals(standing);
      List<AccessTransform> transforms =
          wanted.stream()
              .map(
                  each -> decideCreate(caller, each.placed(), each.settings(), each.id(), refusals))
              .toList();
      List<NewToken> ready = wanted.stream().map(each -> newToken(caller, each)).toList();
      standing.settle();
      Creation creation = tokens.create(ready, decidedOn, AuditTrail::expiry);
      if (creation instanceof Stale) {
        return Optional.empty();
      }
      if (creation instanceof IdTaken taken) {
        wanted.set(taken.index(), withOtherId(evaluator, wanted.get(taken.index())));
      } else {
        return Optional.of(views(evaluator, caller, wanted, transforms, (Done) creation));
      }
    }
  }

  private NewToken newToken(Caller caller, CheckedDraft checked) {
    return new NewToken(
        checked.id(),
        caller.tenantId(),
        checked.draft().knownType(),
        checked.settings(),
        contents.seal(caller.keys(), checked.id(), checked.evaluated()),
        caller.id(),
        AuditTrail.entry(
            caller,
            EntityType.of(checked.draft().knownType()),
            checked.id(),
            Operation.CREATE,
            "Token created"),
        checked.draft().isDeduplicated()
            ? Optional.of(deduplication(caller, checked.evaluated()))
            : Optional.empty());
  }

  private Deduplication deduplication(Caller caller, Evaluated evaluated) {
    return new Deduplication(
        contents.fingerprints(caller.keys(), evaluated).stream()
            .map(TokenHash::hex)
            .collect(Collectors.toUnmodifiableSet()),
        token -> EveryContainer.decide(caller, Permission.TOKEN_CREATE, token.traits()).isAllowed(),
        token -> TokenDecisions.readEntry(caller, token));
  }

  /** Another alias, or after many of them something that nobody else has. */
  private CheckedDraft withOtherId(Evaluator evaluator, CheckedDraft checked) {
    if (!checked.draft().hasAlias()) {
      throw new RefusedException(
          FailureCause.TOKEN_ID_TAKEN,
          "A token with this id exists"
              + checked.placed().place()
              + "; choose another or leave it out.");
    }
    return checked.collisions() < MAX_ALIASES
        ? checked.withId(
            newId(evaluator, checked.draft(), new Violations()).orElseGet(TokenId::random))
        : checked.withId(TokenId.random());
  }

  private List<CreatedToken> views(
      Evaluator evaluator,
      Caller caller,
      List<CheckedDraft> wanted,
      List<AccessTransform> transforms,
      Done done) {
    return IntStream.range(0, wanted.size())
        .mapToObj(
            i ->
                created(
                    evaluator, caller, wanted.get(i), transforms.get(i), done.outcomes().get(i)))
        .toList();
  }

  private CreatedToken created(
      Evaluator evaluator,
      Caller caller,
      CheckedDraft wanted,
      AccessTransform transform,
      Outcome outcome) {
    Token token = outcome.token().token();
    TokenView view =
        outcome.isNew()
            ? evaluation.view(evaluator, token, wanted.evaluated().content(), transform)
            : found(evaluator, caller, outcome);
    return new CreatedToken(view, outcome.isNew());
  }

  /** The caller knows what it sent, but not what else the token holds. */
  private TokenView found(Evaluator evaluator, Caller caller, Outcome outcome) {
    Token token = outcome.token().token();
    Decision decision =
        Decision.weaker(
            EveryContainer.decide(caller, Permission.TOKEN_CREATE, token.traits()),
            caller.authority().decide(Permission.TOKEN_READ, token.traits()));
    return decision instanceof Decision.Allow allow
        ? door.view(
            evaluator,
            caller,
            outcome.token(),
            TokenDecisions.freeToGo(caller, token, allow.transform()))
        : TokenView.brief(token);
  }
}
