package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.JsonText.Members;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.TokenView;
import io.tokenvault.ports.usecase.VaultTokens;
import java.util.Map;
import java.util.Optional;

/** Tokens, each as its caller may see it. */
final class TokenRoutes {

  private static final String METADATA = "metadata.";

  private final VaultTokens tokens;
  private final Requests requests;
  private final Renderer renderer;

  TokenRoutes(VaultTokens tokens, Requests requests, Renderer renderer) {
    this.tokens = tokens;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .post("/tokens", VaultTokens.CREATE, this::create)
        .get("/tokens", VaultTokens.LIST, this::list)
        .get("/tokens/{id}", VaultTokens.READ, this::find)
        .delete("/tokens/{id}", VaultTokens.DELETE, this::delete);
  }

  private Answer create(Context context, Caller caller) {
    Violations shape = new Violations();
    TokenRequest request = requests.body(context, TokenRequest::read, shape);
    TokenView created = tokens.create(caller, request.toDraft(), shape);
    return Answer.created(
        "/tokens/" + PercentEncoding.encode(created.token().id().value()),
        renderer.one(created, TokenRoutes::render));
  }

  private Answer list(Context context, Caller caller) {
    ListQuery query = Requests.query(context, ListQuery::read);
    return Answer.ok(
        renderer.page(tokens.list(caller, query.filter(), query.page()), TokenRoutes::render));
  }

  private Answer find(Context context, Caller caller) {
    return Answer.ok(renderer.one(tokens.find(caller, id(context)), TokenRoutes::render));
  }

  private Answer delete(Context context, Caller caller) {
    tokens.delete(caller, id(context));
    return Answer.noContent();
  }

  private static TokenId id(Context context) {
    return TokenId.parse(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }

  private static void render(TokenView view, Members members) {
    Token token = view.token();
    members
        .put("id", token.id().value())
        .put("tenant_id", token.tenantId().value())
        .put("type", token.type().value())
        .optional("data", view.data(), members::secretJson)
        .texts("containers", token.settings().containers().stream().map(Container::path).toList())
        .optional("metadata", metadata(token), (name, map) -> put(members, name, map));
    Renderer.provenance(token.provenance(), members);
    members.optional("expires_at", token.settings().expiresAt(), members::put);
  }

  private static Optional<Map<String, String>> metadata(Token token) {
    return Optional.of(token.settings().metadata()).filter(map -> !map.isEmpty());
  }

  private static void put(Members members, String name, Map<String, String> map) {
    members.object(name, inner -> map.forEach(inner::put));
  }

  /** The query of the list. */
  private record ListQuery(TokenFilter filter, PageRequest page) {
    static ListQuery read(QueryParameters query) {
      return new ListQuery(
          new TokenFilter(
              query.each("id", TokenId::parse, "must be the id of a token"),
              query.each("type", TokenType::of, "must be one of " + TokenType.choices()),
              query.one("container", ListQuery::container, Container.SHAPE),
              query.startingWith(METADATA)),
          query.page());
    }

    private static Optional<Container> container(String path) {
      return Container.isValid(path) ? Optional.of(new Container(path)) : Optional.empty();
    }
  }
}
