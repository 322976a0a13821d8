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
 * A response that can be recorded and replayed to a retry.
 *
 * @param response the response to send
 * @param subjects the resources that the response shows; access to them is checked before a replay
 * @param isRecorded whether the body is recorded; false if it contains a secret that is shown only
 *     once
 * @param isShortLived whether it reveals a card, whose security code may be deleted before the
 *     token
 */
record IdempotentResponse(
    ApiResponse response,
    List<ResponseSubject> subjects,
    boolean isRecorded,
    boolean isShortLived) {

  IdempotentResponse {
    subjects = List.copyOf(subjects);
  }

  /** Returns a response that shows an application or a proxy. */
  static IdempotentResponse of(ApiResponse response, Kind kind, Object id) {
    return new IdempotentResponse(response, List.of(ResponseSubject.of(kind, id)), true, false);
  }

  /** Returns a response with an API key, whose body is never recorded. */
  static IdempotentResponse shownOnce(ApiResponse response, Object applicationId) {
    return new IdempotentResponse(
        response, List.of(ResponseSubject.of(Kind.APPLICATION, applicationId)), false, false);
  }

  /** Returns a response that shows an updated token. */
  static IdempotentResponse ofChanged(ApiResponse response, TokenView changed) {
    return new IdempotentResponse(
        response, List.of(subject(Kind.TOKEN_CHANGED, changed)), true, showsCard(changed));
  }

  /** Returns a response that shows created tokens, or existing ones that deduplication found. */
  static IdempotentResponse ofCreated(ApiResponse response, List<CreatedToken> created) {
    return new IdempotentResponse(
        response,
        created.stream()
            .map(each -> subject(each.isNew() ? Kind.TOKEN_CREATED : Kind.TOKEN_FOUND, each.view()))
            .toList(),
        true,
        created.stream().anyMatch(each -> showsCard(each.view())));
  }

  private static ResponseSubject subject(Kind kind, TokenView view) {
    return new ResponseSubject(kind, view.shown(), view.token().id().value());
  }

  /** Returns whether the view reveals the data of a card. */
  private static boolean showsCard(TokenView view) {
    return view.token().type() == TokenType.CARD && view.shown() == AccessTransform.REVEAL;
  }
}
