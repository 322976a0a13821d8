package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.StoreTokens.CheckedDraft;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates tokens, one or several at once. */
public final class CreateTokens {

  public static final Requirement CREATE = Requirement.anyOf(Permission.TOKEN_CREATE);

  /** The maximum number of tokens per call. */
  public static final int MAX_TOKENS = 100;

  private final TokenEvaluation evaluation;
  private final BoundWrites boundWrites;
  private final StoreTokens storing;
  private final Authenticator authenticator;
  private final AuditTrail trail;

  public CreateTokens(
      TokenStore tokens,
      TokenContents contents,
      OpenTokens openTokens,
      Authenticator authenticator,
      AuditRecorder recorder) {
    this.authenticator = authenticator;
    this.trail = new AuditTrail(recorder);
    this.evaluation = contents.evaluation();
    this.boundWrites = new BoundWrites(trail);
    this.storing = new StoreTokens(tokens, contents, openTokens, trail);
  }

  /**
   * Creates a token, or returns one of equal type and content if the draft asks for deduplication.
   * The caller needs {@code token:create} on every container of the token.
   *
   * @param shape violations already found while parsing the draft; reported together with all
   *     others
   * @param memory the memory reservation for an existing token that is returned
   * @throws RefusedException if the id is taken, or if the caller lacks the permission (recorded)
   */
  public CreatedToken create(
      AuthenticatedCaller caller, TokenDraft draft, Violations shape, MemoryReservation memory) {
    return createAll(caller, List.of(new TokenDraftItem("", draft)), shape, memory).get(0);
  }

  /** Creates a token without a memory limit. */
  public CreatedToken create(AuthenticatedCaller caller, TokenDraft draft, Violations shape) {
    return create(caller, draft, shape, MemoryReservation.UNBOUNDED);
  }

  /**
   * Creates several tokens: all or none.
   *
   * @param drafts at most {@link #MAX_TOKENS}
   * @param shape violations already found while parsing the drafts
   * @param memory the memory reservation for existing tokens that are returned
   * @return a result for each draft, in their order
   */
  public List<CreatedToken> createAll(
      AuthenticatedCaller caller,
      List<TokenDraftItem> drafts,
      Violations shape,
      MemoryReservation memory) {
    if (drafts.size() > MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS, "A request may make at most " + MAX_TOKENS + " tokens.");
    }
    Evaluator evaluator = evaluation.evaluator();
    AttemptReservation need = AttemptReservation.toShow(memory);
    return createOnCache(evaluator, caller, drafts, shape, need)
        .orElseGet(
            () -> createOnCurrent(evaluator, authenticator.confirm(caller), drafts, shape, need));
  }

  /** Creates several tokens without a memory limit. */
  public List<CreatedToken> createAll(
      AuthenticatedCaller caller, List<TokenDraftItem> drafts, Violations shape) {
    return createAll(caller, drafts, shape, MemoryReservation.UNBOUNDED);
  }

  /**
   * Creates the tokens on cached data; empty if they must be decided again, in which case none was
   * stored.
   */
  private Optional<List<CreatedToken>> createOnCache(
      Evaluator evaluator,
      AuthenticatedCaller authenticated,
      List<TokenDraftItem> drafts,
      Violations shape,
      AttemptReservation need) {
    if (!(authenticated instanceof CachedCaller cached)
        || !cached.caller().isProvisional()
        || drafts.stream().anyMatch(each -> each.draft().isDeduplicated())) {
      return Optional.empty();
    }
    Caller caller = cached.caller();
    try {
      return tryCreate(evaluator, caller, drafts, shape, need);
    } catch (VaultException refused) {
      if (caller.isProvisional()) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private List<CreatedToken> createOnCurrent(
      Evaluator evaluator,
      Caller admitted,
      List<TokenDraftItem> drafts,
      Violations shape,
      AttemptReservation need) {
    return OptimisticExecutor.repeatWhileOutdated(
        () -> {
          // The body may have taken long to arrive, and permissions or keys may have changed
          // meanwhile.
          Caller caller = authenticator.reload(admitted);
          trail.require(caller, CREATE);
          return tryCreate(evaluator, caller, drafts, shape, need);
        });
  }

  /** Creates the tokens; empty if the data that the decision is based on is outdated. */
  private Optional<List<CreatedToken>> tryCreate(
      Evaluator evaluator,
      Caller caller,
      List<TokenDraftItem> drafts,
      Violations shape,
      AttemptReservation need) {
    evaluator.startOver();
    // Violations of this attempt only: those of an earlier one may no longer apply.
    Violations all = new Violations().addAll(shape);
    List<CheckedDraft> checked = new ArrayList<>();
    for (TokenDraftItem each : drafts) {
      Violations found = new Violations();
      check(evaluator, caller, each, found).ifPresent(checked::add);
      all.addAll(each.path(), found);
    }
    all.throwIfAny();
    if (!checked.isEmpty()) {
      return storing.store(evaluator, caller, checked, need);
    }
    // Nothing is stored, so nothing confirms the cached data.
    return caller.isProvisional() ? Optional.empty() : Optional.of(List.of());
  }

  /**
   * Validates a draft; empty if a violation was added. Only the alias is evaluated before the
   * caller is known to have permission to create the token.
   */
  private Optional<CheckedDraft> check(
      Evaluator evaluator, Caller caller, TokenDraftItem item, Violations violations) {
    TokenDraft draft = item.draft();
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
    if (caller.towards().isPresent()) {
      boundWrites.requireCreatable(caller, draft, settings);
    }
    Optional<TokenId> id = storing.newId(evaluator, draft, violations);
    id.ifPresent(each -> storing.decideCreate(caller, item, settings, each));
    Optional<Evaluated> evaluated =
        evaluation.evaluateSized(
            evaluator, draft.knownType(), settings.metadata(), content, violations);
    return violations.isEmpty()
        ? Optional.of(
            new CheckedDraft(item, settings, evaluated.orElseThrow(), id.orElseThrow(), 0))
        : Optional.empty();
  }
}
