package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.request.TokenListQuery;
import io.tokenvault.adapters.http.request.TokenSearchRequest;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.adapters.http.response.TokenJson;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The routes of tokens. Responses show each token as its caller may see it: revealed, masked,
 * without data, or briefly.
 */
public final class TokenRoutes {

  private final VaultTokens tokens;
  private final TokenWrites writes;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param tokens the use case that reads and deletes
   * @param writes creates and updates
   * @param requests reads bodies and preconditions
   * @param renderer renders responses
   */
  public TokenRoutes(
      VaultTokens tokens, TokenWrites writes, RequestReader requests, ResourceRenderer renderer) {
    this.tokens = tokens;
    this.writes = writes;
    this.requests = requests;
    this.renderer = renderer;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
    router
        .postOnceRecognised("/tokens", CreateTokens.CREATE, this::create)
        .get("/tokens", VaultTokens.LIST, TokenListQuery::read, this::list)
        .post("/tokens/search", VaultTokens.SEARCH, this::search)
        .getRecognised("/tokens/{id}", VaultTokens.READ, this::find)
        .patchOnce("/tokens/{id}", ChangeTokens.UPDATE, this::change)
        .delete("/tokens/{id}", VaultTokens.DELETE, this::delete);
  }

  /**
   * Creates a token: status 201, or 200 with {@code Content-Location} if deduplication found one.
   */
  private IdempotentResponse create(Context context, CachedCaller caller) {
    CreatedToken created = writes.create(caller, requests.json(context), requests.room(context));
    String location =
        "/tokens/"
            + PercentEncoding.encode(created.view().token().id().value(), StandardCharsets.UTF_8);
    byte[] json = renderer.one(created.view(), TokenJson::token);
    ApiResponse answer =
        created.isNew()
            ? ApiResponse.created(location, json)
            : ApiResponse.existing(location, json);
    return IdempotentResponse.ofCreated(
        answer.ofVersion(created.view().token().version()), List.of(created));
  }

  private ApiResponse list(Context context, Caller caller, TokenListQuery query) {
    return ApiResponse.ok(
        renderer.page(
            tokens.list(caller, query.query(), query.page(), requests.room(context)),
            TokenJson::token));
  }

  /** Searches tokens. Neither the query nor its values appear in error messages. */
  private ApiResponse search(Context context, Caller caller) {
    Violations shape = new Violations();
    TokenSearchRequest request = requests.body(context, TokenSearchRequest::read, shape);
    TokenQuery query = request.toQuery(value -> tokens.indexedAs(caller, value), shape);
    return ApiResponse.ok(
        renderer.page(
            tokens.search(caller, query, request.toPage(), requests.room(context)),
            TokenJson::token));
  }

  private ApiResponse find(Context context, CachedCaller caller) {
    return answer(tokens.find(caller, id(context), requests.room(context)));
  }

  /** Returns a token, with its version as the entity tag. */
  private ApiResponse answer(TokenView view) {
    return ApiResponse.ok(renderer.one(view, TokenJson::token)).ofVersion(view.token().version());
  }

  /** Applies a merge patch to a token, if its version meets the precondition. */
  private IdempotentResponse change(Context context, Caller caller) {
    TokenId id = id(context);
    TokenView changed =
        writes.change(
            caller,
            id,
            requests.patch(context),
            RequestReader.expected(context),
            requests.room(context));
    return IdempotentResponse.ofChanged(answer(changed), changed);
  }

  private ApiResponse delete(Context context, Caller caller) {
    tokens.delete(caller, id(context), RequestReader.expected(context), requests.room(context));
    return ApiResponse.noContent();
  }

  /** Returns the id in the path; a malformed one fails like an unknown one. */
  private static TokenId id(Context context) {
    return TokenId.parse(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }
}
