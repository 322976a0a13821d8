package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.TokenListQuery;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.adapters.http.response.TokenJson;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Calls the operations of the token and permission routes without HTTP.
 *
 * <p>Each call checks the caller's permission first, then reads the arguments, calls the use case
 * and renders the result, like the route of the same operation. Operations have names such as
 * {@code tokens.create}. Thread-safe.
 */
public final class InProcessClient implements ServiceClient {

  private static final String ID = "id";
  private static final String REQUEST = "request";
  private static final String PATCH = "patch";
  private static final String QUERY = "query";
  private static final String VALUE = "value";

  private final Authenticator gate;
  private final VaultTokens tokens;
  private final TokenWrites writes;
  private final ResourceRenderer renderer;
  private final Map<String, Operation> operations = new LinkedHashMap<>();

  /**
   * Creates the client with all its operations.
   *
   * @param gate checks permissions
   * @param tokens reads, lists, deletes and detokenizes tokens
   * @param writes creates, updates and tokenizes
   * @param renderer renders results
   */
  public InProcessClient(
      Authenticator gate, VaultTokens tokens, TokenWrites writes, ResourceRenderer renderer) {
    this.gate = gate;
    this.tokens = tokens;
    this.writes = writes;
    this.renderer = renderer;
    add("tokens.create", CreateTokens.CREATE, this::create, REQUEST);
    add("tokens.retrieve", VaultTokens.READ, this::find, ID);
    add("tokens.update", ChangeTokens.UPDATE, this::change, ID, PATCH);
    add("tokens.delete", VaultTokens.DELETE, this::delete, ID);
    add("tokens.list", VaultTokens.LIST, this::list, QUERY);
    add("tokenize", CreateTokens.CREATE, this::tokenize, VALUE);
    add("detokenize", VaultTokens.READ, this::detokenize, VALUE);
    add("permissions.list", Requirement.VALID_KEY, this::permissions, PermissionRoutes.TYPE);
  }

  /**
   * Adds an operation.
   *
   * @param requirement what the operation requires of callers
   * @param parameters the names of its parameters, in order
   */
  private void add(String name, Requirement requirement, Call call, String... parameters) {
    operations.put(name, new Operation(requirement, List.of(parameters), call));
  }

  @Override
  public Set<String> operations() {
    return Collections.unmodifiableSet(operations.keySet());
  }

  /**
   * Checks the caller's permission and runs an operation.
   *
   * @throws RefusedException if the operation does not exist or the caller may not call it
   */
  @Override
  public JsonValue call(Caller caller, String name, List<JsonValue> given, MemoryReservation room) {
    Operation operation =
        Optional.ofNullable(operations.get(name)).orElseThrow(InProcessClient::unknown);
    gate.require(caller, operation.requirement());
    CallArguments arguments = new CallArguments(operation.parameters(), given);
    return operation.call().answer(caller, arguments, room);
  }

  private static RefusedException unknown() {
    return new RefusedException(FailureCause.NOT_FOUND, "There is no such operation.");
  }

  private JsonValue create(Caller caller, CallArguments arguments, MemoryReservation room) {
    JsonObject request = arguments.object(REQUEST);
    arguments.check();
    return rendered(writes.create(caller, request, room).view());
  }

  private JsonValue find(Caller caller, CallArguments arguments, MemoryReservation room) {
    String id = arguments.text(ID);
    arguments.check();
    return rendered(tokens.find(caller, tokenId(id), room));
  }

  private JsonValue change(Caller caller, CallArguments arguments, MemoryReservation room) {
    String id = arguments.text(ID);
    JsonObject patch = arguments.object(PATCH);
    arguments.check();
    return rendered(writes.change(caller, tokenId(id), patch, ExpectedVersion.ANY, room));
  }

  /** Deletes a token; the result is null, since the response of the route has no body. */
  private JsonValue delete(Caller caller, CallArguments arguments, MemoryReservation room) {
    String id = arguments.text(ID);
    arguments.check();
    tokens.delete(caller, tokenId(id), ExpectedVersion.ANY, room);
    return null;
  }

  private JsonValue list(Caller caller, CallArguments arguments, MemoryReservation room) {
    JsonObject given =
        Optional.ofNullable(arguments.optionalObject(QUERY)).orElse(new JsonObject(Map.of()));
    TokenListQuery query = TokenListQuery.read(given, arguments.violations());
    arguments.check();
    return renderer.tree(
        ResourceRenderer.list(
            tokens.list(caller, query.query(), query.page(), room), TokenJson::token));
  }

  private JsonValue tokenize(Caller caller, CallArguments arguments, MemoryReservation room) {
    JsonValue value = arguments.any(VALUE);
    arguments.check();
    return renderer.tree(writes.tokenize(caller, value, room).writer());
  }

  private JsonValue detokenize(Caller caller, CallArguments arguments, MemoryReservation room) {
    JsonValue value = arguments.any(VALUE);
    arguments.check();
    return tokens.detokenize(caller, value, room);
  }

  private JsonValue permissions(Caller caller, CallArguments arguments, MemoryReservation room) {
    String given = arguments.optionalText(PermissionRoutes.TYPE);
    List<String> types = given == null ? List.of() : List.of(given);
    Optional<ApplicationType> type =
        PermissionRoutes.type(
            QueryParameters.of(Map.of(PermissionRoutes.TYPE, types), arguments.violations()));
    arguments.check();
    return renderer.tree(PermissionRoutes.catalogue(type));
  }

  private JsonValue rendered(TokenView token) {
    return renderer.tree(ResourceRenderer.object(token, TokenJson::token));
  }

  /** Parses the id of a token; a malformed one fails like an unknown one. */
  private static TokenId tokenId(String id) {
    return TokenId.parse(id).orElseThrow(RefusedException::notFound);
  }

  /** An operation with its requirement and the names of its parameters. */
  private record Operation(Requirement requirement, List<String> parameters, Call call) {}

  /** Reads the arguments, calls the use case and renders the result. */
  private interface Call {
    JsonValue answer(Caller caller, CallArguments arguments, MemoryReservation room);
  }
}
