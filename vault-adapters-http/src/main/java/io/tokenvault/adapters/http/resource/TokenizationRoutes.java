package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.resource.TokenWrites.Tokenized;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;

/** Turns JSON of any shape into the same with tokens, and back. */
public final class TokenizationRoutes {

  private final VaultTokens tokens;
  private final TokenWrites writes;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  public TokenizationRoutes(
      VaultTokens tokens, TokenWrites writes, RequestReader requests, ResourceRenderer renderer) {
    this.tokens = tokens;
    this.writes = writes;
    this.requests = requests;
    this.renderer = renderer;
  }

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
