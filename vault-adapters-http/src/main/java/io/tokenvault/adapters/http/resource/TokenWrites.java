package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.json.JsonTextWriter;
import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.adapters.http.request.TokenPatchRequest;
import io.tokenvault.adapters.http.request.TokenRequest;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import java.util.List;
import java.util.function.Consumer;

/** Makes and changes tokens as JSON says, whichever way that came. */
public final class TokenWrites {

  private final CreateTokens creates;
  private final ChangeTokens changes;
  private final RequestValidator shapes;

  public TokenWrites(CreateTokens creates, ChangeTokens changes, RequestValidator shapes) {
    this.creates = creates;
    this.changes = changes;
    this.shapes = shapes;
  }

  CreatedToken create(AuthenticatedCaller caller, JsonValue body, MemoryReservation room) {
    Violations shape = new Violations();
    TokenRequest request = shapes.read(body, TokenRequest::read, shape);
    return creates.create(caller, request.toDraft(), shape, room);
  }

  TokenView change(
      Caller caller, TokenId id, JsonValue body, ExpectedVersion expected, MemoryReservation room) {
    Violations shape = new Violations();
    TokenPatch patch = shapes.read(body, TokenPatchRequest::read, shape);
    return changes.change(caller, id, patch, expected, shape, room);
  }

  Tokenized tokenize(AuthenticatedCaller caller, JsonValue body, MemoryReservation room) {
    Violations shape = new Violations();
    List<CreatedToken> created =
        creates.createAll(caller, new TokenDraftFinder(shapes, shape).of(body), shape, room);
    return new Tokenized(created, text -> new TokenizedJsonWriter(text, created).write(body));
  }

  /**
   * The same JSON with tokens in it.
   *
   * @param writer writes it
   */
  record Tokenized(List<CreatedToken> created, Consumer<JsonTextWriter> writer) {}
}
