package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.resource.TokenWrites.Tokenized;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;

/**
 * The routes that tokenize and detokenize JSON values of any structure.
 *
 * <p>{@code POST /tokenize} replaces strings and token objects by tokens; {@code POST /detokenize}
 * replaces expressions in strings by data.
 */
public final class TokenizationRoutes {

  private final VaultTokens tokens;
  private final TokenWrites writes;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param tokens the use case that detokenizes
   * @param writes tokenizes
   * @param requests reads bodies
   * @param renderer renders responses
   */
  public TokenizationRoutes(
      VaultTokens tokens, TokenWrites writes, RequestReader requests, ResourceRenderer renderer) {
    this.tokens = tokens;
    this.writes = writes;
    this.requests = requests;
    this.renderer = renderer;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
    router
        .postOnceRecognised("/tokenize", CreateTokens.CREATE, this::tokenize)
        .postRecognised("/detokenize", VaultTokens.READ, this::detokenize);
  }

  private IdempotentResponse tokenize(Context context, CachedCaller caller) {
    Tokenized made = writes.tokenize(caller, requests.json(context), requests.room(context));
    return IdempotentResponse.ofCreated(
        ApiResponse.ok(renderer.text(made.writer())), made.created());
  }

  private ApiResponse detokenize(Context context, CachedCaller caller) {
    return ApiResponse.ok(
        renderer.value(tokens.detokenize(caller, requests.json(context), requests.room(context))));
  }
}
