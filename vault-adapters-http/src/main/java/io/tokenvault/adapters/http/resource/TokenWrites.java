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

/**
 * Creates and updates tokens from JSON, for the routes and for {@link InProcessClient}. Reads the
 * JSON against its schema and passes all violations to the use case. Thread-safe.
 */
public final class TokenWrites {

  private final CreateTokens creates;
  private final ChangeTokens changes;
  private final RequestValidator shapes;

  /**
   * Creates an instance.
   *
   * @param creates the use case that creates tokens
   * @param changes the use case that updates tokens
   * @param shapes checks the constraints of request records
   */
  public TokenWrites(CreateTokens creates, ChangeTokens changes, RequestValidator shapes) {
    this.creates = creates;
    this.changes = changes;
    this.shapes = shapes;
  }

  /**
   * Creates a token, or returns an existing one if the body requests deduplication.
   *
   * @param room for an existing token that is returned
   * @throws io.tokenvault.domain.failure.ValidationException naming all violations
   */
  CreatedToken create(AuthenticatedCaller caller, JsonValue body, MemoryReservation room) {
    Violations shape = new Violations();
    TokenRequest request = shapes.read(body, TokenRequest::read, shape);
    return creates.create(caller, request.toDraft(), shape, room);
  }

  /**
   * Applies a merge patch to a token.
   *
   * @param expected the versions that may be changed
   * @throws io.tokenvault.domain.failure.ValidationException naming all violations
   */
  TokenView change(
      Caller caller, TokenId id, JsonValue body, ExpectedVersion expected, MemoryReservation room) {
    Violations shape = new Violations();
    TokenPatch patch = shapes.read(body, TokenPatchRequest::read, shape);
    return changes.change(caller, id, patch, expected, shape, room);
  }

  /**
   * Creates tokens for all strings and token objects in a JSON value; either all or none.
   *
   * @throws io.tokenvault.domain.failure.ValidationException naming all violations
   */
  Tokenized tokenize(AuthenticatedCaller caller, JsonValue body, MemoryReservation room) {
    Violations shape = new Violations();
    List<CreatedToken> created =
        creates.createAll(caller, new TokenDraftFinder(shapes, shape).of(body), shape, room);
    return new Tokenized(created, text -> new TokenizedJsonWriter(text, created).write(body));
  }

  /**
   * A JSON value in which tokens have replaced data.
   *
   * @param created the tokens, in the order of their appearance
   * @param writer writes the value
   */
  record Tokenized(List<CreatedToken> created, Consumer<JsonTextWriter> writer) {}
}
