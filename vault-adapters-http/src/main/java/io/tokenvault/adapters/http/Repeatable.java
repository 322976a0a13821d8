package io.tokenvault.adapters.http;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.AnswerSubject;
import io.tokenvault.ports.spi.AnswerSubject.Kind;
import io.tokenvault.ports.usecase.CreatedToken;
import io.tokenvault.ports.usecase.TokenView;
import java.util.List;

/**
 * An answer to a request that may be sent again.
 *
 * @param subjects what it tells of
 * @param isKept false if it holds what is shown once
 * @param isShortLived whether it shows a card, whose code may go before all else
 */
record Repeatable(
    Answer answer, List<AnswerSubject> subjects, boolean isKept, boolean isShortLived) {

  Repeatable {
    subjects = List.copyOf(subjects);
  }

  /** About an application or a proxy. */
  static Repeatable of(Answer answer, Kind kind, Object id) {
    return new Repeatable(answer, List.of(AnswerSubject.of(kind, id)), true, false);
  }

  /** With the key of an application, which is kept nowhere. */
  static Repeatable shownOnce(Answer answer, Object applicationId) {
    return new Repeatable(
        answer, List.of(AnswerSubject.of(Kind.APPLICATION, applicationId)), false, false);
  }

  static Repeatable ofChanged(Answer answer, TokenView changed) {
    return new Repeatable(
        answer, List.of(subject(Kind.TOKEN_CHANGED, changed)), true, showsCard(changed));
  }

  static Repeatable ofCreated(Answer answer, List<CreatedToken> created) {
    return new Repeatable(
        answer,
        created.stream()
            .map(each -> subject(each.isNew() ? Kind.TOKEN_CREATED : Kind.TOKEN_FOUND, each.view()))
            .toList(),
        true,
        created.stream().anyMatch(each -> showsCard(each.view())));
  }

  private static AnswerSubject subject(Kind kind, TokenView view) {
    return new AnswerSubject(kind, view.shown(), view.token().id().value());
  }

  private static boolean showsCard(TokenView view) {
    return view.token().type() == TokenType.CARD && view.shown() == AccessTransform.REVEAL;
  }
}
