package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.CreatedToken;
import io.tokenvault.ports.usecase.VaultTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Tokens, each as its caller may see it. */
final class TokenRoutes {

  private static final String METADATA = "metadata.";

  private final VaultTokens tokens;
  private final CreateTokens creates;
  private final ChangeTokens changes;
  private final Requests requests;
  private final Renderer renderer;

  TokenRoutes(
      VaultTokens tokens,
      CreateTokens creates,
      ChangeTokens changes,
      Requests requests,
      Renderer renderer) {
    this.tokens = tokens;
    this.creates = creates;
    this.changes = changes;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .post("/tokens", CreateTokens.CREATE, this::create)
        .get("/tokens", VaultTokens.LIST, this::list)
        .post("/tokens/search", VaultTokens.SEARCH, this::search)
        .get("/tokens/{id}", VaultTokens.READ, this::find)
        .patch("/tokens/{id}", ChangeTokens.UPDATE, this::change)
        .delete("/tokens/{id}", VaultTokens.DELETE, this::delete);
  }

  private Answer create(Context context, Caller caller) {
    Violations shape = new Violations();
    TokenRequest request = requests.body(context, TokenRequest::read, shape);
    CreatedToken created = creates.create(caller, request.toDraft(), shape);
    String location = "/tokens/" + PercentEncoding.encode(created.view().token().id().value());
    byte[] json = renderer.one(created.view(), TokenJson::token);
    return created.isNew() ? Answer.created(location, json) : Answer.existing(location, json);
  }

  private Answer list(Context context, Caller caller) {
    ListQuery query = Requests.query(context, ListQuery::read);
    return Answer.ok(
        renderer.page(tokens.list(caller, query.query(), query.page()), TokenJson::token));
  }

  private Answer search(Context context, Caller caller) {
    Violations shape = new Violations();
    SearchRequest request = requests.body(context, SearchRequest::read, shape);
    TokenQuery query = request.toQuery(value -> tokens.indexedAs(caller, value), shape);
    return Answer.ok(
        renderer.page(tokens.search(caller, query, request.toPage()), TokenJson::token));
  }

  private Answer find(Context context, Caller caller) {
    return Answer.ok(renderer.one(tokens.find(caller, id(context)), TokenJson::token));
  }

  private Answer change(Context context, Caller caller) {
    TokenId id = id(context);
    Violations shape = new Violations();
    TokenPatch patch = requests.patch(context, TokenPatchRequest::read, shape);
    return Answer.ok(renderer.one(changes.change(caller, id, patch, shape), TokenJson::token));
  }

  private Answer delete(Context context, Caller caller) {
    tokens.delete(caller, id(context));
    return Answer.noContent();
  }

  private static TokenId id(Context context) {
    return TokenId.parse(context.pathParam("id")).orElseThrow(RefusedException::notFound);
  }

  /** The query of the list. */
  private record ListQuery(TokenQuery query, PageRequest page) {
    static ListQuery read(QueryParameters query) {
      List<TokenQuery> all = new ArrayList<>();
      add(
          query.each("id", TokenId::parse, "must be the id of a token"),
          TokenQuery.IdIn::new,
          all::add);
      add(
          query.each("type", TokenType::of, "must be one of " + TokenType.choices()),
          TokenQuery.TypeIn::new,
          all::add);
      query
          .one("container", ListQuery::container, Container.SHAPE)
          .ifPresent(prefix -> all.add(new TokenQuery.ContainerStartsWith(prefix.path())));
      query
          .startingWith(METADATA)
          .forEach((key, value) -> all.add(new TokenQuery.MetadataIs(key, value)));
      return new ListQuery(new TokenQuery.AllOf(all), query.page());
    }

    private static <T> void add(
        Set<T> given, Function<Set<T>, TokenQuery> query, Consumer<TokenQuery> all) {
      if (!given.isEmpty()) {
        all.accept(query.apply(given));
      }
    }

    private static Optional<Container> container(String path) {
      return Container.isValid(path) ? Optional.of(new Container(path)) : Optional.empty();
    }
  }
}
