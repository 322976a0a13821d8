package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.usecase.AuthenticatedCaller;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.CreatedToken;
import io.tokenvault.ports.usecase.TokenView;
import java.util.List;
import java.util.function.Consumer;

/** Makes and changes tokens as JSON says, whichever way that came. */
final class TokenWrites {

  private final CreateTokens creates;
  private final ChangeTokens changes;
  private final Shapes shapes;

  TokenWrites(CreateTokens creates, ChangeTokens changes, Shapes shapes) {
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
        creates.createAll(caller, new DraftsInJson(shapes, shape).of(body), shape, room);
    return new Tokenized(created, text -> new TokensInJson(text, created).write(body));
  }

  /**
   * The same JSON with tokens in it.
   *
   * @param writer writes it
   */
  record Tokenized(List<CreatedToken> created, Consumer<JsonText> writer) {}
}
