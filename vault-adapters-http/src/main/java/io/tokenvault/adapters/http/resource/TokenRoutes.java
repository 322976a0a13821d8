package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.cached;
import static io.tokenvault.adapters.http.resource.Router.current;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.request.TokenListQuery;
import io.tokenvault.adapters.http.request.TokenSearchRequest;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenLimits;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The routes of tokens, and those that tokenize and detokenize JSON values of any structure.
 * Responses show each token as its caller may see it: revealed, masked, without data, or briefly.
 *
 * <p>{@code POST /tokenize} replaces strings and token objects by tokens; {@code POST /detokenize}
 * replaces expressions in strings by data.
 */
public final class TokenRoutes {

  private static final SizeLimit CONTAINERS =
      new SizeLimit(TokenLimits.MAX_CONTAINERS, TokenLimits.CONTAINERS_SHAPE);
  private static final SizeLimit SEARCH_INDEXES = SizeLimit.items(TokenLimits.MAX_SEARCH_INDEXES);
  private static final SizeLimit METADATA = SizeLimit.entries(TokenLimits.MAX_METADATA);

  /** A patch may remove as many entries as a token can have and add as many others. */
  private static final SizeLimit PATCH_METADATA = SizeLimit.entries(2 * TokenLimits.MAX_METADATA);

  private final VaultTokens tokens;
  private final CreateTokens creates;
  private final ChangeTokens changes;
  private final RequestReader requests;
  private final JsonRenderer renderer;

  public TokenRoutes(
      VaultTokens tokens,
      CreateTokens creates,
      ChangeTokens changes,
      RequestReader requests,
      JsonRenderer renderer) {
    this.tokens = tokens;
    this.creates = creates;
    this.changes = changes;
    this.requests = requests;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    addConsoleTo(router);
    router
        .post("/tokens/search", current(VaultTokens.SEARCH), this::search)
        .patchIdempotent("/tokens/{id}", current(ChangeTokens.UPDATE), this::change)
        .delete("/tokens/{id}", current(VaultTokens.DELETE), this::delete)
        .postIdempotent("/tokenize", cached(CreateTokens.CREATE), this::tokenize)
        .post("/detokenize", cached(VaultTokens.READ), this::detokenize);
  }

  /** Adds the routes that the console needs. Its listener limits callers to masks. */
  public void addConsoleTo(Router router) {
    router
        .postIdempotent("/tokens", cached(CreateTokens.CREATE), this::create)
        .get("/tokens", current(VaultTokens.LIST), TokenListQuery::read, this::list)
        .get("/tokens/{id}", cached(VaultTokens.READ), this::find);
  }

  /**
   * Creates a token: status 201, or 200 with {@code Content-Location} if deduplication found one.
   */
  private IdempotentResponse create(Context context, CachedCaller caller) {
    Violations violations = new Violations();
    TokenDraft draft = read(JsonFields.of(requests.json(context), violations));
    CreatedToken created = creates.create(caller, draft, violations, requests.reservation(context));
    Token token = created.view().token();
    String location =
        "/tokens/" + PercentEncoding.encode(token.id().value(), StandardCharsets.UTF_8);
    byte[] json = renderer.one(created.view(), TokenRoutes::render);
    ApiResponse response =
        created.isNew()
            ? ApiResponse.created(location, json)
            : ApiResponse.ok(json).with("Content-Location", location);
    return IdempotentResponse.ofCreated(response.ofVersion(token.version()), List.of(created));
  }

  private ApiResponse list(Context context, Caller caller, TokenListQuery query) {
    return ApiResponse.ok(
        renderer.page(
            tokens.list(caller, query.query(), query.page(), requests.reservation(context)),
            TokenRoutes::render));
  }

  /** Searches tokens. Neither the query nor its values appear in error messages. */
  private ApiResponse search(Context context, Caller caller) {
    Violations violations = new Violations();
    TokenSearchRequest request =
        requests.body(context, fields -> TokenSearchRequest.read(fields, violations), violations);
    TokenQuery query = request.toQuery(value -> tokens.indexedAs(caller, value), violations);
    return ApiResponse.ok(
        renderer.page(
            tokens.search(caller, query, request.toPage(), requests.reservation(context)),
            TokenRoutes::render));
  }

  private ApiResponse find(Context context, CachedCaller caller) {
    return response(tokens.read(caller, id(context), requests.reservation(context)));
  }

  /** Returns a token, with its version as the entity tag. */
  private ApiResponse response(TokenView view) {
    return ApiResponse.ok(renderer.one(view, TokenRoutes::render))
        .ofVersion(view.token().version());
  }

  /** Applies a merge patch to a token, if its version meets the precondition. */
  private IdempotentResponse change(Context context, Caller caller) {
    TokenId id = id(context);
    JsonValue body = requests.patch(context);
    ExpectedVersion expected = RequestReader.expected(context);
    Violations violations = new Violations();
    TokenPatch patch = readPatch(JsonFields.of(body, violations));
    TokenView changed =
        changes.change(caller, id, patch, expected, violations, requests.reservation(context));
    return IdempotentResponse.ofChanged(response(changed), changed);
  }

  private ApiResponse delete(Context context, Caller caller) {
    tokens.delete(
        caller, id(context), RequestReader.expected(context), requests.reservation(context));
    return ApiResponse.noContent();
  }

  /** Creates tokens for all strings and token objects in a JSON value; either all or none. */
  private IdempotentResponse tokenize(Context context, CachedCaller caller) {
    JsonValue body = requests.json(context);
    Violations violations = new Violations();
    Tokenization parts = Tokenization.of(body, violations);
    List<CreatedToken> created =
        creates.createAll(
            caller, parts.drafts(), parts.paths(), violations, requests.reservation(context));
    return IdempotentResponse.ofCreated(
        ApiResponse.ok(renderer.text(Tokenization.result(body, created))), created);
  }

  private ApiResponse detokenize(Context context, CachedCaller caller) {
    JsonValue body = requests.json(context);
    return ApiResponse.ok(
        renderer.value(tokens.detokenize(caller, body, requests.reservation(context))));
  }

  /**
   * Reads the body that creates a token; any part that was omitted is null. Fields of other types
   * and unknown fields become violations; the use case checks everything else.
   */
  public static TokenDraft read(JsonFields fields) {
    return fields.only(
        new TokenDraft(
            fields.text("id"),
            fields.text("type"),
            fields.any("data"),
            fields.texts("containers", CONTAINERS),
            fields.textMap("metadata", METADATA),
            fields.parsed("expires_at", Timestamps::read, Timestamps.SHAPE),
            fields.any("mask"),
            fields.texts("search_indexes", SEARCH_INDEXES),
            fields.text("fingerprint_expression"),
            fields.flag("deduplicate_token")));
  }

  /** Reads a token in the form that responses have; the fields that the vault sets are ignored. */
  public static TokenDraft readExported(JsonFields fields) {
    fields.ignore(
        "tenant_id", "fingerprint", "created_by", "created_at", "modified_by", "modified_at");
    return read(fields);
  }

  /**
   * Reads the JSON merge patch (RFC 7386) that changes a token; fields of other types and unknown
   * fields become violations. Null resets or removes a value, a missing property leaves it
   * unchanged. The id and type of a token cannot be changed.
   */
  public static TokenPatch readPatch(JsonFields fields) {
    TokenPatch patch =
        new TokenPatch(
            fields.change("data", fields::any),
            fields.change("mask", fields::any),
            fields.change("metadata", name -> fields.textChanges(name, PATCH_METADATA)),
            fields.change("containers", name -> fields.texts(name, CONTAINERS)),
            fields.change(
                "expires_at", name -> fields.parsed(name, Timestamps::read, Timestamps.SHAPE)),
            fields.change("search_indexes", name -> fields.texts(name, SEARCH_INDEXES)),
            fields.change("fingerprint_expression", fields::text));
    fields.refuseChange("id");
    fields.refuseChange("type");
    fields.refuseOthers();
    return patch;
  }

  /** Returns the id in the path; a malformed one fails like an unknown one. */
  private static TokenId id(Context context) {
    return TokenId.parse(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }

  /**
   * Writes a token as one caller may see it.
   *
   * @param view the token, with the data or mask that the decision allows
   */
  static void render(TokenView view, ObjectWriter json) {
    if (view.isSummary()) {
      renderSummary(view.token(), json);
    } else {
      renderWhole(view, json);
    }
  }

  /** Writes id, type, fingerprint and containers only, for callers that may see no more. */
  private static void renderSummary(Token token, ObjectWriter json) {
    json.put("id", token.id().value())
        .put("type", token.type().value())
        .optional("fingerprint", token.fingerprint(), json::put)
        .strings("containers", containers(token));
  }

  private static void renderWhole(TokenView view, ObjectWriter json) {
    Token token = view.token();
    json.put("id", token.id().value())
        .put("tenant_id", token.tenantId().value())
        .put("type", token.type().value())
        .optional("fingerprint", token.fingerprint(), json::put)
        .optional("data", view.data(), json::secretJson);
    view.expressions().ifPresent(expressions -> render(expressions, json));
    json.strings("containers", containers(token));
    Map<String, String> metadata = token.settings().metadata();
    if (!metadata.isEmpty()) {
      json.object("metadata", inner -> metadata.forEach(inner::put));
    }
    JsonRenderer.provenance(token.provenance(), json);
    json.optional("expires_at", token.settings().expiresAt(), json::put);
  }

  /** Writes the expressions of a token, to callers that may see them. */
  private static void render(TokenExpressions expressions, ObjectWriter json) {
    json.optional("mask", expressions.mask(), json::put)
        .optional(
            "search_indexes",
            Optional.of(expressions.searchIndexes()).filter(indexes -> !indexes.isEmpty()),
            json::strings)
        .optional("fingerprint_expression", expressions.fingerprint(), json::put);
  }

  private static List<String> containers(Token token) {
    return token.settings().containers().stream().map(Container::path).toList();
  }
}
