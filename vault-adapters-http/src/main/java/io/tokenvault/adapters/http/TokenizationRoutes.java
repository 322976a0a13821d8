package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.TokenWrites.Tokenized;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.RecognisedCaller;
import io.tokenvault.ports.usecase.VaultTokens;

/** Turns JSON of any shape into the same with tokens, and back. */
final class TokenizationRoutes {

  private final VaultTokens tokens;
  private final TokenWrites writes;
  private final Requests requests;
  private final Renderer renderer;

  TokenizationRoutes(VaultTokens tokens, TokenWrites writes, Requests requests, Renderer renderer) {
    this.tokens = tokens;
    this.writes = writes;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .postOnceRecognised("/tokenize", CreateTokens.CREATE, this::tokenize)
        .postRecognised("/detokenize", VaultTokens.READ, this::detokenize);
  }

  private Repeatable tokenize(Context context, RecognisedCaller caller) {
    Tokenized made = writes.tokenize(caller, requests.json(context), requests.room(context));
    return Repeatable.ofCreated(Answer.ok(renderer.text(made.writer())), made.created());
  }

  private Answer detokenize(Context context, RecognisedCaller caller) {
    return Answer.ok(
        renderer.value(tokens.detokenize(caller, requests.json(context), requests.room(context))));
  }
}
