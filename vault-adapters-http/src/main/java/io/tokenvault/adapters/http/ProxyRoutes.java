package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.JsonText.Members;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.api.RehearseProxy;
import io.tokenvault.ports.spi.AnswerSubject.Kind;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.ProxyFilter;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.ManageProxies;
import io.tokenvault.ports.usecase.ProxyView;
import io.tokenvault.ports.usecase.RehearseProxies;
import java.util.Optional;

/** Pre-configured proxies (interface, section 4, Proxies). */
final class ProxyRoutes {

  private static final int EMPTY_OBJECT_SIZE = "{}".length();

  private final ManageProxies proxies;
  private final RehearseProxy rehearsals;
  private final Requests requests;
  private final Renderer renderer;

  ProxyRoutes(
      ManageProxies proxies, RehearseProxy rehearsals, Requests requests, Renderer renderer) {
    this.proxies = proxies;
    this.rehearsals = rehearsals;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .postOnce("/proxies", ManageProxies.CREATE, this::create)
        .get("/proxies", ManageProxies.READ, ListQuery::read, this::list)
        .get("/proxies/{id}", ManageProxies.READ, this::find)
        .putOnce("/proxies/{id}", ManageProxies.UPDATE, this::update)
        .delete("/proxies/{id}", ManageProxies.DELETE, this::delete)
        .post("/proxies/{id}/test", RehearseProxies.REHEARSE, this::rehearse);
  }

  private Repeatable create(Context context, Caller caller) {
    Violations shape = new Violations();
    ProxyRequest request = requests.body(context, ProxyRequest::read, shape);
    ProxyView created = proxies.create(caller, request.toDraft(), shape);
    return Repeatable.of(
        Answer.created(
                "/proxies/" + created.proxy().id(), renderer.one(created, ProxyRoutes::render))
            .ofVersion(created.proxy().version()),
        Kind.PROXY,
        created.proxy().id());
  }

  private Answer list(Context context, Caller caller, ListQuery query) {
    return Answer.ok(
        renderer.page(
            proxies.list(caller, query.filter(), query.page(), requests.room(context)),
            ProxyRoutes::render));
  }

  private Answer find(Context context, Caller caller) {
    return answer(proxies.find(caller, id(context)));
  }

  private Answer answer(ProxyView view) {
    return Answer.ok(renderer.one(view, ProxyRoutes::render)).ofVersion(view.proxy().version());
  }

  private Repeatable update(Context context, Caller caller) {
    ProxyId id = id(context);
    Violations shape = new Violations();
    ProxyRequest request = requests.body(context, ProxyRequest::readUpdate, shape);
    ProxyView updated =
        proxies.update(caller, id, request.toUpdate(), Requests.expected(context, shape), shape);
    return Repeatable.of(answer(updated), Kind.PROXY, id);
  }

  private Answer delete(Context context, Caller caller) {
    proxies.delete(caller, id(context), Requests.expected(context));
    return Answer.noContent();
  }

  private Answer rehearse(Context context, Caller caller) {
    ProxyId id = id(context);
    return Answer.ok(renderer.value(rehearsals.rehearse(caller, id, requests.json(context))));
  }

  private static ProxyId id(Context context) {
    return new ProxyId(Requests.id(context));
  }

  private static void render(ProxyView view, Members members) {
    Proxy proxy = view.proxy();
    members
        .put("id", proxy.id().value())
        .put("tenant_id", proxy.tenantId().value())
        .put("name", proxy.settings().name().value())
        .secretText("key", view.key().value())
        .put("destination_url", proxy.settings().destinationUrl())
        .put("require_auth", proxy.settings().requireAuth());
    renderOptional(proxy.settings(), members);
    for (TransformKind kind : TransformKind.values()) {
      Optional<TransformCode> code = Optional.ofNullable(view.transforms().get(kind));
      members.optional(kind.property(), code, (name, each) -> render(name, each, members));
    }
    members.optional("configuration", configuration(view), members::secretJson);
    Renderer.provenance(proxy.provenance(), members);
  }

  private static void renderOptional(ProxySettings settings, Members members) {
    members
        .optional(
            "application_id", settings.applicationId(), (name, id) -> members.put(name, id.value()))
        .optional(
            "timeout_ms",
            settings.timeout(),
            (name, timeout) -> members.put(name, timeout.toMillis()))
        .optional("client_certificate", settings.clientCertificate(), members::put);
  }

  private static void render(String name, TransformCode code, Members members) {
    members.object(name, inner -> inner.put("code", code.source()));
  }

  private static Optional<SensitiveValue> configuration(ProxyView view) {
    return Optional.of(view.configuration()).filter(json -> json.size() > EMPTY_OBJECT_SIZE);
  }

  /** The query of the list. */
  private record ListQuery(ProxyFilter filter, PageRequest page) {
    static ListQuery read(QueryParameters query) {
      return new ListQuery(
          new ProxyFilter(
              query.each(
                  "id", text -> JsonFields.parseUuid(text).map(ProxyId::new), "must be a UUID"),
              query.one("name")),
          query.page());
    }
  }
}
