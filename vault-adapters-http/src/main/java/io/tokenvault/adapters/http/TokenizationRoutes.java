package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.CreatedToken;
import io.tokenvault.ports.usecase.VaultTokens;
import java.util.List;

/** Turns JSON of any shape into the same with tokens, and back. */
final class TokenizationRoutes {

  private final VaultTokens tokens;
  private final CreateTokens creates;
  private final Requests requests;
  private final Renderer renderer;

  TokenizationRoutes(
      VaultTokens tokens, CreateTokens creates, Requests requests, Renderer renderer) {
    this.tokens = tokens;
    this.creates = creates;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .post("/tokenize", CreateTokens.CREATE, this::tokenize)
        .post("/detokenize", VaultTokens.READ, this::detokenize);
  }

  private Answer tokenize(Context context, Caller caller) {
    JsonValue body = requests.json(context);
    Violations shape = new Violations();
    List<CreatedToken> created =
        creates.createAll(caller, new DraftsInJson(requests, shape).of(body), shape);
    return Answer.ok(renderer.text(text -> new TokensInJson(text, created).write(body)));
  }

  private Answer detokenize(Context context, Caller caller) {
    return Answer.ok(renderer.value(tokens.detokenize(caller, requests.json(context))));
  }
}
