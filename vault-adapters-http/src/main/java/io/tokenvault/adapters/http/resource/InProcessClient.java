package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.request.TokenListQuery;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.Collections;
import java.util.HashMap;
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

  private final Authenticator authenticator;
  private final VaultTokens tokens;
  private final CreateTokens creates;
  private final ChangeTokens changes;
  private final JsonRenderer renderer;
  private final Map<String, Operation> operations = new LinkedHashMap<>();

  /**
   * Creates the client with all its operations.
   *
   * @param authenticator checks permissions
   * @param tokens reads, lists, deletes and detokenizes tokens
   * @param creates creates tokens
   * @param changes updates tokens
   * @param renderer renders results
   */
  public InProcessClient(
      Authenticator authenticator,
      VaultTokens tokens,
      CreateTokens creates,
      ChangeTokens changes,
      JsonRenderer renderer) {
    this.authenticator = authenticator;
    this.tokens = tokens;
    this.creates = creates;
    this.changes = changes;
    this.renderer = renderer;
    add("tokens.create", CreateTokens.CREATE, this::create, REQUEST);
    add("tokens.retrieve", VaultTokens.READ, this::find, ID);
    add("tokens.update", ChangeTokens.UPDATE, this::change, ID, PATCH);
    add("tokens.delete", VaultTokens.DELETE, this::delete, ID);
    add("tokens.list", VaultTokens.LIST, this::list, QUERY);
    add("tokenize", CreateTokens.CREATE, this::tokenize, VALUE);
    add("detokenize", VaultTokens.READ, this::detokenize, VALUE);
    add(
        "permissions.list",
        Requirement.VALID_KEY,
        this::permissions,
        AccessRoutes.APPLICATION_TYPE);
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
  public byte[] call(
      Caller caller, String name, List<JsonValue> given, MemoryReservation reservation) {
    Operation operation =
        Optional.ofNullable(operations.get(name))
            .orElseThrow(() -> new RefusedException(FailureCause.NOT_FOUND, "Unknown operation."));
    authenticator.require(caller, operation.requirement());
    Arguments arguments = new Arguments(operation.parameters(), given);
    return operation.call().respond(caller, arguments, reservation);
  }

  private byte[] create(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonObject request = arguments.object(REQUEST);
    arguments.violations.throwIfAny();
    Violations violations = new Violations();
    TokenDraft draft = TokenRoutes.read(JsonFields.of(request, violations));
    return rendered(creates.create(caller, draft, violations, reservation).view());
  }

  private byte[] find(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String id = arguments.text(ID);
    arguments.violations.throwIfAny();
    return rendered(tokens.read(caller, tokenId(id), reservation));
  }

  private byte[] change(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String id = arguments.text(ID);
    JsonObject patch = arguments.object(PATCH);
    arguments.violations.throwIfAny();
    TokenId token = tokenId(id);
    Violations violations = new Violations();
    TokenPatch changed = TokenRoutes.readPatch(JsonFields.of(patch, violations));
    return rendered(
        changes.change(caller, token, changed, ExpectedVersion.ANY, violations, reservation));
  }

  /** Deletes a token; the result is null, since the response of the route has no body. */
  private byte[] delete(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String id = arguments.text(ID);
    arguments.violations.throwIfAny();
    tokens.delete(caller, tokenId(id), ExpectedVersion.ANY, reservation);
    return renderer.value(JsonNull.NULL);
  }

  private byte[] list(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonObject given =
        Optional.ofNullable(arguments.optionalObject(QUERY)).orElse(new JsonObject(Map.of()));
    TokenListQuery query = TokenListQuery.read(given, arguments.violations);
    arguments.violations.throwIfAny();
    return renderer.page(
        tokens.list(caller, query.query(), query.page(), reservation), TokenRoutes::render);
  }

  private byte[] tokenize(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonValue value = arguments.any(VALUE);
    arguments.violations.throwIfAny();
    Violations violations = new Violations();
    Tokenization parts = Tokenization.of(value, violations);
    List<CreatedToken> created =
        creates.createAll(caller, parts.drafts(), parts.paths(), violations, reservation);
    return renderer.text(Tokenization.result(value, created));
  }

  private byte[] detokenize(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonValue value = arguments.any(VALUE);
    arguments.violations.throwIfAny();
    return renderer.value(tokens.detokenize(caller, value, reservation));
  }

  private byte[] permissions(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String given = arguments.fields.text(AccessRoutes.APPLICATION_TYPE);
    Optional<ApplicationType> type = Optional.ofNullable(given).flatMap(ApplicationType::of);
    if (given != null && type.isEmpty()) {
      arguments.fields.refuse(AccessRoutes.APPLICATION_TYPE, AccessRoutes.TYPE_SHAPE);
    }
    arguments.violations.throwIfAny();
    return renderer.text(AccessRoutes.catalog(type));
  }

  private byte[] rendered(TokenView token) {
    return renderer.one(token, TokenRoutes::render);
  }

  /** Parses the id of a token; a malformed one fails like an unknown one. */
  private static TokenId tokenId(String id) {
    return TokenId.parse(id).orElseThrow(RefusedException::notFound);
  }

  /**
   * The positional arguments of a call, read by the names of its parameters like the fields of a
   * request body: values are not coerced, and null counts as omitted, except where any JSON value
   * is accepted. The violations must be checked before the arguments are used.
   */
  private static final class Arguments {

    private final Violations violations = new Violations();
    private final JsonFields fields;

    /**
     * Assigns arguments to parameters. Surplus arguments that are not null become violations.
     *
     * @param parameters the names of all parameters, in order
     * @param given the arguments; trailing ones may be omitted
     */
    Arguments(List<String> parameters, List<JsonValue> given) {
      Map<String, JsonValue> named = new HashMap<>();
      for (int i = 0; i < given.size(); i++) {
        if (i < parameters.size()) {
          named.put(parameters.get(i), given.get(i));
        } else if (given.get(i) != JsonNull.NULL) {
          violations.add(
              "arguments[" + i + "]", "is unexpected after " + String.join(", ", parameters));
        }
      }
      this.fields = JsonFields.of(new JsonObject(named), violations);
    }

    /** Returns an argument of any type, null included; only a missing one is a violation. */
    JsonValue any(String parameter) {
      Optional<JsonValue> value = fields.property(parameter);
      if (value.isEmpty()) {
        fields.require(parameter);
      }
      return value.orElse(null);
    }

    /** Returns an object; a missing one is a violation. */
    JsonObject object(String parameter) {
      fields.require(parameter);
      return optionalObject(parameter);
    }

    /** Returns an object, or null if it is missing. */
    JsonObject optionalObject(String parameter) {
      JsonValue value = fields.any(parameter);
      if (value != null && !(value instanceof JsonObject)) {
        fields.refuse(parameter, "must be an object");
      }
      return value instanceof JsonObject object ? object : null;
    }

    /** Returns a string; a missing one is a violation. */
    String text(String parameter) {
      fields.require(parameter);
      return fields.text(parameter);
    }
  }

  private record Operation(Requirement requirement, List<String> parameters, Call call) {}

  /** Reads the arguments, calls the use case and renders the result. */
  private interface Call {
    byte[] respond(Caller caller, Arguments arguments, MemoryReservation reservation);
  }
}
