package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.usecase.authorization.AllContainersCheck;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
import java.util.Optional;
import java.util.Set;

/** Validates drafts of tokens, and decides whether the caller may create them. */
final class TokenDraftValidator {

  private static final int MAX_ALIASES = 10;

  private final TokenEvaluation evaluation;
  private final AuditTrail trail;
  private final BoundWrites boundWrites;

  TokenDraftValidator(TokenEvaluation evaluation, AuditTrail trail) {
    this.evaluation = evaluation;
    this.trail = trail;
    this.boundWrites = new BoundWrites(trail);
  }

  /**
   * Validates a draft; empty if a violation was added. Only the alias is evaluated before the
   * caller is known to have permission to create the token.
   */
  Optional<CheckedDraft> check(
      Evaluator evaluator, Caller caller, TokenDraftItem placed, Violations violations) {
    TokenDraft draft = placed.draft();
    draft.check(caller.now(), violations);
    if (!violations.isEmpty()) {
      return Optional.empty();
    }
    TokenContent content = new TokenContent(draft.data(), draft.toExpressions());
    evaluation.checkSize(content, violations);
    if (!violations.isEmpty()) {
      return Optional.empty();
    }
    TokenSettings settings = draft.toSettings();
    boundWrites.requireCreatable(caller, draft, settings);
    Optional<TokenId> id = newId(evaluator, draft, violations);
    id.ifPresent(each -> decideCreate(caller, placed, settings, each));
    Optional<Evaluated> evaluated =
        evaluation.evaluateSized(
            evaluator, draft.knownType(), settings.metadata(), content, violations);
    return violations.isEmpty()
        ? Optional.of(
            new CheckedDraft(placed, settings, evaluated.orElseThrow(), id.orElseThrow(), 0))
        : Optional.empty();
  }

  /** Returns the id of a new token; empty if a violation was added. */
  private Optional<TokenId> newId(Evaluator evaluator, TokenDraft draft, Violations violations) {
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
      Caller caller, TokenDraftItem placed, TokenSettings settings, TokenId id) {
    TokenTraits traits = new TokenTraits(id.value(), Set.copyOf(settings.containers()));
    Decision decision = AllContainersCheck.decide(caller, Permission.TOKEN_CREATE, traits);
    if (decision instanceof Decision.Allow allow) {
      return allow.transform();
    }
    throw trail.refusal(
        caller,
        EntityType.of(placed.draft().knownType()),
        id,
        Operation.CREATE,
        "Token creation",
        "The API key does not permit token:create in "
            + AllContainersCheck.missing(caller, Permission.TOKEN_CREATE, traits)
            + ", which the token"
            + placed.place()
            + " is to be in.");
  }

  /**
   * Returns the draft with another alias, or after many collisions with a random id.
   *
   * @throws RefusedException with cause {@code TOKEN_ID_TAKEN} if the client chose the id
   */
  CheckedDraft withOtherId(Evaluator evaluator, CheckedDraft checked) {
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
}
