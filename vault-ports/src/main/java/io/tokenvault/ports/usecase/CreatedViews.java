package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.spi.Expressions.Evaluator;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.TokenStore.Creation.Done;
import io.tokenvault.ports.spi.TokenStore.Outcome;
import java.util.List;
import java.util.stream.IntStream;

/** Shows the maker of tokens what has become of them. */
final class CreatedViews {

  private final OpenTokens door;
  private final TokenEvaluation evaluation;

  CreatedViews(OpenTokens door, TokenEvaluation evaluation) {
    this.door = door;
    this.evaluation = evaluation;
  }

  /**
   * Each under the transform that it was made under.
   *
   * @param room for the data of tokens that were found
   */
  List<CreatedToken> of(
      Evaluator evaluator,
      Caller caller,
      List<CheckedDraft> wanted,
      List<AccessTransform> transforms,
      Done done,
      MemoryReservation room) {
    return IntStream.range(0, wanted.size())
        .mapToObj(
            i ->
                created(
                    evaluator,
                    caller,
                    wanted.get(i),
                    transforms.get(i),
                    done.outcomes().get(i),
                    room))
        .toList();
  }

  private CreatedToken created(
      Evaluator evaluator,
      Caller caller,
      CheckedDraft wanted,
      AccessTransform transform,
      Outcome outcome,
      MemoryReservation room) {
    Token token = outcome.token().token();
    TokenView view =
        outcome.isNew()
            ? evaluation.view(evaluator, token, wanted.evaluated().content(), transform)
            : found(evaluator, caller, outcome, room);
    return new CreatedToken(view, outcome.isNew());
  }

  /** The caller knows what it sent, but not what else the token holds. */
  private TokenView found(
      Evaluator evaluator, Caller caller, Outcome outcome, MemoryReservation room) {
    Token token = outcome.token().token();
    Decision decision =
        Decision.weaker(
            EveryContainer.decide(caller, Permission.TOKEN_CREATE, token.traits()),
            caller.authority().decide(Permission.TOKEN_READ, token.traits()));
    if (!(decision instanceof Decision.Allow allow)) {
      return TokenView.brief(token);
    }
    AccessTransform shown = TokenDecisions.freeToGo(caller, token, allow.transform());
    if (shown == AccessTransform.REVEAL) {
      TokenDecisions.disclose(caller, List.of(token));
    }
    return door.view(evaluator, caller, outcome.token(), shown, room);
  }
}
