package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.request.TokenListQuery;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.JsonSink;
import io.tokenvault.adapters.http.response.JsonRenderer.JsonTextWriter;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

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
  private final JsonCodec codec;
  private final Map<String, Operation> operations = new LinkedHashMap<>();

  /**
   * Creates the client with all its operations.
   *
   * @param authenticator checks permissions
   * @param tokens reads, lists, deletes and detokenizes tokens
   * @param creates creates tokens
   * @param changes updates tokens
   * @param codec reads sensitive data that is stored as JSON
   */
  public InProcessClient(
      Authenticator authenticator,
      VaultTokens tokens,
      CreateTokens creates,
      ChangeTokens changes,
      JsonCodec codec) {
    this.authenticator = authenticator;
    this.tokens = tokens;
    this.creates = creates;
    this.changes = changes;
    this.codec = codec;
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
  public JsonValue call(
      Caller caller, String name, List<JsonValue> given, MemoryReservation reservation) {
    Operation operation =
        Optional.ofNullable(operations.get(name))
            .orElseThrow(() -> new RefusedException(FailureCause.NOT_FOUND, "Unknown operation."));
    authenticator.require(caller, operation.requirement());
    Arguments arguments = new Arguments(operation.parameters(), given);
    return operation.call().respond(caller, arguments, reservation);
  }

  private JsonValue create(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonObject request = arguments.object(REQUEST);
    arguments.check();
    Violations violations = new Violations();
    TokenDraft draft = TokenRoutes.read(JsonFields.of(request, violations));
    return rendered(creates.create(caller, draft, violations, reservation).view());
  }

  private JsonValue find(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String id = arguments.text(ID);
    arguments.check();
    return rendered(tokens.read(caller, tokenId(id), reservation));
  }

  private JsonValue change(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String id = arguments.text(ID);
    JsonObject patch = arguments.object(PATCH);
    arguments.check();
    TokenId token = tokenId(id);
    Violations violations = new Violations();
    TokenPatch changed = TokenRoutes.readPatch(JsonFields.of(patch, violations));
    return rendered(
        changes.change(caller, token, changed, ExpectedVersion.ANY, violations, reservation));
  }

  /** Deletes a token; the result is null, since the response of the route has no body. */
  private JsonValue delete(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String id = arguments.text(ID);
    arguments.check();
    tokens.delete(caller, tokenId(id), ExpectedVersion.ANY, reservation);
    return null;
  }

  private JsonValue list(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonObject given =
        Optional.ofNullable(arguments.optionalObject(QUERY)).orElse(new JsonObject(Map.of()));
    TokenListQuery query = TokenListQuery.read(given, arguments.violations());
    arguments.check();
    return tree(
        JsonRenderer.list(
            tokens.list(caller, query.query(), query.page(), reservation), TokenRoutes::render));
  }

  private JsonValue tokenize(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonValue value = arguments.any(VALUE);
    arguments.check();
    Violations violations = new Violations();
    Tokenization parts = Tokenization.of(value, violations);
    List<CreatedToken> created =
        creates.createAll(caller, parts.drafts(), parts.paths(), violations, reservation);
    return tree(Tokenization.result(value, created));
  }

  private JsonValue detokenize(Caller caller, Arguments arguments, MemoryReservation reservation) {
    JsonValue value = arguments.any(VALUE);
    arguments.check();
    return tokens.detokenize(caller, value, reservation);
  }

  private JsonValue permissions(Caller caller, Arguments arguments, MemoryReservation reservation) {
    String given = arguments.optionalText(AccessRoutes.APPLICATION_TYPE);
    Optional<ApplicationType> type = Optional.ofNullable(given).flatMap(ApplicationType::of);
    if (given != null && type.isEmpty()) {
      arguments.refuse(AccessRoutes.APPLICATION_TYPE, AccessRoutes.TYPE_SHAPE);
    }
    arguments.check();
    return tree(AccessRoutes.catalogue(type));
  }

  private JsonValue rendered(TokenView token) {
    return tree(JsonRenderer.object(token, TokenRoutes::render));
  }

  /** Renders as a JSON value whatever {@code content} writes. */
  private JsonValue tree(Consumer<JsonTextWriter> content) {
    JsonTree tree = new JsonTree(codec);
    content.accept(new JsonTextWriter(tree));
    return tree.toValue();
  }

  /** Parses the id of a token; a malformed one fails like an unknown one. */
  private static TokenId tokenId(String id) {
    return TokenId.parse(id).orElseThrow(RefusedException::notFound);
  }

  /**
   * The positional arguments of a call, read by the names of its parameters like the fields of a
   * request body: values are not coerced, and null counts as omitted, except where any JSON value
   * is accepted.
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
      Optional<JsonValue> value = fields.member(parameter);
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
      return optionalText(parameter);
    }

    /** Returns a string, or null if it is missing. */
    String optionalText(String parameter) {
      return fields.text(parameter);
    }

    /** Adds a violation for an argument. */
    void refuse(String parameter, String message) {
      fields.refuse(parameter, message);
    }

    /** Returns the violations found so far, to which the call may add its own. */
    Violations violations() {
      return violations;
    }

    /**
     * Checks that there are no violations. Must be called before the arguments are used.
     *
     * @throws ValidationException naming all violations
     */
    void check() {
      violations.throwIfAny();
    }
  }

  /** An operation with its requirement and the names of its parameters. */
  private record Operation(Requirement requirement, List<String> parameters, Call call) {}

  /** Reads the arguments, calls the use case and renders the result. */
  private interface Call {
    JsonValue respond(Caller caller, Arguments arguments, MemoryReservation reservation);
  }

  /**
   * Builds a JSON value from the JSON of a response, for callers inside this process.
   *
   * <p>Serializing and parsing again would fail for values that nest deeper than a request may,
   * such as a list of tokens whose data has the greatest depth. Not thread-safe.
   */
  private static final class JsonTree implements JsonSink {

    private final JsonCodec codec;
    // The consumers that receive the next value: the root, an array, or a property.
    private final Deque<Consumer<JsonValue>> targets = new ArrayDeque<>();
    private final Deque<Map<String, JsonValue>> objects = new ArrayDeque<>();
    private final Deque<List<JsonValue>> arrays = new ArrayDeque<>();
    private JsonValue root;

    JsonTree(JsonCodec codec) {
      this.codec = codec;
      targets.push(value -> root = value);
    }

    /** Returns the value; null until it is complete. */
    JsonValue toValue() {
      return root;
    }

    @Override
    public void beginObject() {
      objects.push(new LinkedHashMap<>());
    }

    @Override
    public void name(String name) {
      Map<String, JsonValue> properties = objects.element();
      targets.push(
          value -> {
            properties.put(name, value);
            targets.pop();
          });
    }

    @Override
    public void endObject() {
      value(new JsonObject(objects.pop()));
    }

    @Override
    public void beginArray() {
      List<JsonValue> items = new ArrayList<>();
      arrays.push(items);
      targets.push(items::add);
    }

    @Override
    public void endArray() {
      targets.pop();
      value(new JsonArray(arrays.pop()));
    }

    @Override
    public void value(JsonValue value) {
      targets.element().accept(value);
    }

    @Override
    public void json(byte[] value) {
      value(codec.read(value));
    }
  }
}
