package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.CreatedToken;
import io.tokenvault.ports.usecase.RecognisedCaller;
import io.tokenvault.ports.usecase.TokenView;
import io.tokenvault.ports.usecase.VaultTokens;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tokens, each as its caller may see it. */
final class TokenRoutes {

  private final VaultTokens tokens;
  private final TokenWrites writes;
  private final Requests requests;
  private final Renderer renderer;

  TokenRoutes(VaultTokens tokens, TokenWrites writes, Requests requests, Renderer renderer) {
    this.tokens = tokens;
    this.writes = writes;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .postOnceRecognised("/tokens", CreateTokens.CREATE, this::create)
        .get("/tokens", VaultTokens.LIST, TokenListQuery::read, this::list)
        .post("/tokens/search", VaultTokens.SEARCH, this::search)
        .getRecognised("/tokens/{id}", VaultTokens.READ, this::find)
        .patchOnce("/tokens/{id}", ChangeTokens.UPDATE, this::change)
        .delete("/tokens/{id}", VaultTokens.DELETE, this::delete);
  }

  private Repeatable create(Context context, RecognisedCaller caller) {
    CreatedToken created = writes.create(caller, requests.json(context), requests.room(context));
    String location =
        "/tokens/"
            + PercentEncoding.encode(created.view().token().id().value(), StandardCharsets.UTF_8);
    byte[] json = renderer.one(created.view(), TokenJson::token);
    Answer answer =
        created.isNew() ? Answer.created(location, json) : Answer.existing(location, json);
    return Repeatable.ofCreated(
        answer.ofVersion(created.view().token().version()), List.of(created));
  }

  private Answer list(Context context, Caller caller, TokenListQuery query) {
    return Answer.ok(
        renderer.page(
            tokens.list(caller, query.query(), query.page(), requests.room(context)),
            TokenJson::token));
  }

  private Answer search(Context context, Caller caller) {
    Violations shape = new Violations();
    SearchRequest request = requests.body(context, SearchRequest::read, shape);
    TokenQuery query = request.toQuery(value -> tokens.indexedAs(caller, value), shape);
    return Answer.ok(
        renderer.page(
            tokens.search(caller, query, request.toPage(), requests.room(context)),
            TokenJson::token));
  }

  private Answer find(Context context, RecognisedCaller caller) {
    return answer(tokens.find(caller, id(context), requests.room(context)));
  }

  private Answer answer(TokenView view) {
    return Answer.ok(renderer.one(view, TokenJson::token)).ofVersion(view.token().version());
  }

  private Repeatable change(Context context, Caller caller) {
    TokenId id = id(context);
    TokenView changed =
        writes.change(
            caller,
            id,
            requests.patch(context),
            Requests.expected(context),
            requests.room(context));
    return Repeatable.ofChanged(answer(changed), changed);
  }

  private Answer delete(Context context, Caller caller) {
    tokens.delete(caller, id(context), Requests.expected(context), requests.room(context));
    return Answer.noContent();
  }

  private static TokenId id(Context context) {
    return TokenId.parse(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }
}
