package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import java.util.List;

/**
 * An answer to a request that may be sent again.
 *
 * @param subjects what it tells of
 * @param isKept false if it holds what is shown once
 * @param isShortLived whether it shows a card, whose code may go before all else
 */
record IdempotentResponse(
    ApiResponse answer, List<ResponseSubject> subjects, boolean isKept, boolean isShortLived) {

  IdempotentResponse {
    subjects = List.copyOf(subjects);
  }

  /** About an application or a proxy. */
  static IdempotentResponse of(ApiResponse answer, Kind kind, Object id) {
    return new IdempotentResponse(answer, List.of(ResponseSubject.of(kind, id)), true, false);
  }

  /** With the key of an application, which is kept nowhere. */
  static IdempotentResponse shownOnce(ApiResponse answer, Object applicationId) {
    return new IdempotentResponse(
        answer, List.of(ResponseSubject.of(Kind.APPLICATION, applicationId)), false, false);
  }

  static IdempotentResponse ofChanged(ApiResponse answer, TokenView changed) {
    return new IdempotentResponse(
        answer, List.of(subject(Kind.TOKEN_CHANGED, changed)), true, showsCard(changed));
  }

  static IdempotentResponse ofCreated(ApiResponse answer, List<CreatedToken> created) {
    return new IdempotentResponse(
        answer,
        created.stream()
            .map(each -> subject(each.isNew() ? Kind.TOKEN_CREATED : Kind.TOKEN_FOUND, each.view()))
            .toList(),
        true,
        created.stream().anyMatch(each -> showsCard(each.view())));
  }

  private static ResponseSubject subject(Kind kind, TokenView view) {
    return new ResponseSubject(kind, view.shown(), view.token().id().value());
  }

  private static boolean showsCard(TokenView view) {
    return view.token().type() == TokenType.CARD && view.shown() == AccessTransform.REVEAL;
  }
}
