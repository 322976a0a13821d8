package io.tokenvault.ports.usecase;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Expressions.Evaluator;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.TokenStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes tokens, one or many at once. */
public final class CreateTokens {

  public static final Requirement CREATE = Requirement.anyOf(Permission.TOKEN_CREATE);

  /** How many tokens one call may make. */
  public static final int MAX_TOKENS = 100;

  private final TokenEvaluation evaluation;
  private final TokenDrafts checks;
  private final StoreTokens storing;
  private final Gate gate;
  private final AuditTrail trail;

  public CreateTokens(
      TokenStore tokens,
      TokenContents contents,
      OpenTokens door,
      Gate gate,
      AuditRecorder recorder) {
    this.gate = gate;
    this.evaluation = contents.evaluation();
    this.checks = new TokenDrafts(evaluation);
    this.storing = new StoreTokens(tokens, contents, checks, new CreatedViews(door, evaluation));
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Makes a token, or gives one of the same type and content where the draft asks for that. The
   * caller needs {@code token:create} on every container of it.
   *
   * @param shape what is wrong already with the draft's shape; told together with the rest
   * @param room for a token that is given
   */
  public CreatedToken create(
      Caller caller, TokenDraft draft, Violations shape, MemoryReservation room) {
    return createAll(caller, List.of(new PlacedDraft("", draft)), shape, room).get(0);
  }

  CreatedToken create(Caller caller, TokenDraft draft, Violations shape) {
    return create(caller, draft, shape, MemoryReservation.UNBOUNDED);
  }

  /** The same for a caller that is recognised, who has {@link #CREATE} by that. */
  public CreatedToken create(
      RecognisedCaller recognised, TokenDraft draft, Violations shape, MemoryReservation room) {
    return createAll(recognised, List.of(new PlacedDraft("", draft)), shape, room).get(0);
  }

  CreatedToken create(RecognisedCaller recognised, TokenDraft draft, Violations shape) {
    return create(recognised, draft, shape, MemoryReservation.UNBOUNDED);
  }

  /**
   * The same for several: all or none.
   *
   * @param drafts at most {@link #MAX_TOKENS}
   * @param room for tokens that are given
   */
  public List<CreatedToken> createAll(
      Caller admitted, List<PlacedDraft> drafts, Violations shape, MemoryReservation room) {
    requireFew(drafts);
    return createAll(evaluation.evaluator(), admitted, drafts, shape, room);
  }

  private List<CreatedToken> createAll(
      Evaluator evaluator,
      Caller admitted,
      List<PlacedDraft> drafts,
      Violations shape,
      MemoryReservation room) {
    AttemptReservation need = AttemptReservation.toShow(room);
    return Attempts.untilDecidedOnWhatHolds(
        () -> {
          // The body may have taken long to arrive, and rights and keys have changed meanwhile.
          Caller caller = gate.callers().again(admitted);
          trail.require(caller, CREATE);
          return tryCreate(evaluator, caller, drafts, shape, Standing.settled(), need);
        });
  }

  List<CreatedToken> createAll(Caller admitted, List<PlacedDraft> drafts, Violations shape) {
    return createAll(admitted, drafts, shape, MemoryReservation.UNBOUNDED);
  }

  /** The same for a caller that is recognised, who has {@link #CREATE} by that. */
  public List<CreatedToken> createAll(
      RecognisedCaller recognised,
      List<PlacedDraft> drafts,
      Violations shape,
      MemoryReservation room) {
    requireFew(drafts);
    Evaluator evaluator = evaluation.evaluator();
    return recognised.standing().isProvisional()
            && drafts.stream().noneMatch(each -> each.draft().isDeduplicated())
        ? createFromMemory(evaluator, recognised, drafts, shape, room)
            .orElseGet(() -> createAll(evaluator, gate.confirm(recognised), drafts, shape, room))
        : createAll(evaluator, gate.confirm(recognised), drafts, shape, room);
  }

  List<CreatedToken> createAll(
      RecognisedCaller recognised, List<PlacedDraft> drafts, Violations shape) {
    return createAll(recognised, drafts, shape, MemoryReservation.UNBOUNDED);
  }

  /** Empty if it has to be decided anew, and nothing was stored. */
  private Optional<List<CreatedToken>> createFromMemory(
      Evaluator evaluator,
      RecognisedCaller recognised,
      List<PlacedDraft> drafts,
      Violations shape,
      MemoryReservation room) {
    Standing standing = Standing.provisional();
    boolean stale = false;
    try {
      Optional<List<CreatedToken>> created =
          tryCreate(
              evaluator,
              recognised.caller(),
              drafts,
              shape,
              standing,
              AttemptReservation.toShow(room));
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
      Evaluator evaluator,
      Caller caller,
      List<PlacedDraft> drafts,
      Violations shape,
      Standing standing,
      AttemptReservation need) {
    evaluator.startOver();
    AuditTrail refusals = refusals(standing);
    // Of this attempt alone: what an earlier one found need not hold any more.
    Violations all = new Violations().addAll(shape);
    List<CheckedDraft> checked = new ArrayList<>();
    for (PlacedDraft each : drafts) {
      Violations found = new Violations();
      checks.check(evaluator, caller, each, found, refusals).ifPresent(checked::add);
      all.addAll(each.path(), found);
    }
    all.throwIfAny();
    return checked.isEmpty()
        ? nothing(standing)
        : storing.store(evaluator, caller, checked, standing, this::refusals, need);
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
}
