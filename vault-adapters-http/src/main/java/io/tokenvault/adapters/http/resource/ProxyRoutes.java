package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.current;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.MergePatch;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.ProxyUpdate;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.api.ProxyDryRun;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The routes of proxy configurations (interface, section 4, Proxies), including the dry run of a
 * proxy. Invocations are handled by the {@code proxy} package.
 */
public final class ProxyRoutes {

  private static final String APPLICATION = "application";
  private static final String APPLICATION_ID = "application_id";
  private static final SizeLimit CONFIGURATION = SizeLimit.entries(ProxyDraft.MAX_CONFIGURATION);

  private final ManageProxies proxies;
  private final ProxyDryRun dryRuns;
  private final RequestReader requests;
  private final JsonRenderer renderer;

  public ProxyRoutes(
      ManageProxies proxies, ProxyDryRun dryRuns, RequestReader requests, JsonRenderer renderer) {
    this.proxies = proxies;
    this.dryRuns = dryRuns;
    this.requests = requests;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router
        .postIdempotent("/proxies", current(ManageProxies.CREATE), this::create)
        .get("/proxies", current(ManageProxies.READ), ListQuery::read, this::list)
        .get("/proxies/{id}", current(ManageProxies.READ), this::find)
        .putIdempotent("/proxies/{id}", current(ManageProxies.UPDATE), this::update)
        .patchIdempotent("/proxies/{id}", current(ManageProxies.UPDATE), this::change)
        .delete("/proxies/{id}", current(ManageProxies.DELETE), this::delete)
        .post("/proxies/{id}/test", current(DryRunProxies.DRY_RUN), this::dryRun);
  }

  /** Creates a proxy; the response shows its key. */
  private IdempotentResponse create(Context context, Caller caller) {
    Violations violations = new Violations();
    ProxyDraft draft = requests.body(context, ProxyRoutes::read, violations);
    ProxyView created = proxies.create(caller, draft, violations);
    return IdempotentResponse.of(
        ApiResponse.created(
                "/proxies/" + created.proxy().id(), renderer.one(created, ProxyRoutes::render))
            .ofVersion(created.proxy().version()),
        Kind.PROXY,
        created.proxy().id());
  }

  private ApiResponse list(Context context, Caller caller, ListQuery query) {
    return ApiResponse.ok(
        renderer.page(
            proxies.list(caller, query.filter(), query.page(), requests.reservation(context)),
            ProxyRoutes::render));
  }

  private ApiResponse find(Context context, Caller caller) {
    return response(proxies.read(caller, id(context)));
  }

  /** Returns a proxy, with its version as the entity tag. */
  private ApiResponse response(ProxyView view) {
    return ApiResponse.ok(renderer.one(view, ProxyRoutes::render))
        .ofVersion(view.proxy().version());
  }

  /** Replaces the settings of a proxy, if its version meets the precondition. */
  private IdempotentResponse update(Context context, Caller caller) {
    ProxyId id = id(context);
    Violations violations = new Violations();
    ProxyUpdate update = requests.body(context, ProxyRoutes::readUpdate, violations);
    ProxyView updated =
        proxies.update(caller, id, update, RequestReader.expected(context, violations), violations);
    return IdempotentResponse.of(response(updated), Kind.PROXY, id);
  }

  /** Applies a merge patch to a proxy, if its version meets the precondition. */
  private IdempotentResponse change(Context context, Caller caller) {
    ProxyId id = id(context);
    JsonValue patch = requests.patch(context);
    ProxyView changed =
        proxies.change(
            caller,
            id,
            (known, violations) -> update(context, known, patch, violations),
            RequestReader.expected(context));
    return IdempotentResponse.of(response(changed), Kind.PROXY, id);
  }

  private ProxyUpdate update(
      Context context, ProxyView known, JsonValue patch, Violations violations) {
    JsonValue shown = requests.rendered(context, renderer.one(known, ProxyRoutes::render));
    // A patch may name the application as responses do, or as a request does.
    JsonValue named = has(patch, APPLICATION) ? withReference(shown) : shown;
    return readUpdate(JsonFields.of(MergePatch.applyKeepingNames(named, patch), violations));
  }

  /** Deletes a proxy, if its version meets the precondition. */
  private ApiResponse delete(Context context, Caller caller) {
    proxies.delete(caller, id(context), RequestReader.expected(context));
    return ApiResponse.noContent();
  }

  /**
   * Performs a dry run: returns what would be sent, with masks instead of token data, and how the
   * transforms ended.
   */
  private ApiResponse dryRun(Context context, Caller caller) {
    ProxyId id = id(context);
    return ApiResponse.ok(renderer.value(dryRuns.dryRun(caller, id, requests.json(context))));
  }

  /**
   * Reads the body that creates a proxy. Fields of other types and unknown fields, read-only ones
   * included, become violations; the use case checks everything else.
   */
  public static ProxyDraft read(JsonFields fields) {
    return fields.only(
        new ProxyDraft(
            fields.text("name"),
            fields.text("destination_url"),
            applicationId(fields),
            fields.textMap("configuration", CONFIGURATION),
            fields.flag("require_auth"),
            fields.longInteger("timeout_ms"),
            fields.text("client_certificate"),
            transforms(fields)));
  }

  /**
   * Reads the body that replaces a proxy. A client may send back the response of a read with
   * changes, read-only fields included.
   */
  public static ProxyUpdate readUpdate(JsonFields fields) {
    UnchangedFields unchanged = ReadOnlyFields.ofProxy(fields);
    return new ProxyUpdate(read(fields), unchanged);
  }

  /**
   * Reads the reference to an application from {@code application}, or from {@code application_id}
   * as responses have it. If both are present they must agree. Clients may send the whole
   * application; only its id is read.
   */
  private static ApplicationId applicationId(JsonFields fields) {
    UUID referenced = fields.object(APPLICATION, ProxyRoutes::requiredId);
    UUID id = fields.uuid(APPLICATION_ID);
    if (referenced != null && id != null && !id.equals(referenced)) {
      fields.refuse(APPLICATION_ID, "must equal application.id or be omitted");
    }
    UUID named = referenced == null ? id : referenced;
    return named == null ? null : new ApplicationId(named);
  }

  private static UUID requiredId(JsonFields fields) {
    fields.require("id");
    return fields.uuid("id");
  }

  /** Reads the transforms that have code. */
  private static Map<TransformKind, String> transforms(JsonFields fields) {
    Map<TransformKind, String> transforms = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : TransformKind.values()) {
      String code = fields.object(kind.property(), ProxyRoutes::requiredCode);
      if (code != null) {
        transforms.put(kind, code);
      }
    }
    return transforms;
  }

  private static String requiredCode(JsonFields fields) {
    fields.require("code");
    return fields.only(fields.text("code"));
  }

  private static boolean has(JsonValue value, String name) {
    return value instanceof JsonObject object && object.properties().containsKey(name);
  }

  /** Replaces the property {@code application_id}, if there is one, by {@code application}. */
  private static JsonValue withReference(JsonValue proxy) {
    if (!has(proxy, APPLICATION_ID)) {
      return proxy;
    }
    Map<String, JsonValue> properties = new LinkedHashMap<>(((JsonObject) proxy).properties());
    JsonValue id = properties.remove(APPLICATION_ID);
    properties.put(APPLICATION, new JsonObject(Map.of("id", id)));
    return new JsonObject(properties);
  }

  private static ProxyId id(Context context) {
    return new ProxyId(RequestReader.id(context));
  }

  /** Writes a proxy with its key, its transforms and its configuration. */
  private static void render(ProxyView view, ObjectWriter json) {
    Proxy proxy = view.proxy();
    json.put("id", proxy.id().value())
        .put("tenant_id", proxy.tenantId().value())
        .put("name", proxy.settings().name().value())
        .secretText("key", view.key().value())
        .put("destination_url", proxy.settings().destinationUrl())
        .put("require_auth", proxy.settings().requireAuth());
    renderOptional(proxy.settings(), json);
    for (TransformKind kind : TransformKind.values()) {
      Optional<TransformCode> code = Optional.ofNullable(view.transforms().get(kind));
      json.optional(kind.property(), code, (name, each) -> render(name, each, json));
    }
    json.optional("configuration", configuration(view), json::secretJson);
    JsonRenderer.provenance(proxy.provenance(), json);
  }

  /** Writes the settings that a proxy may lack. */
  private static void renderOptional(ProxySettings settings, ObjectWriter json) {
    json.optional(
            "application_id", settings.applicationId(), (name, id) -> json.put(name, id.value()))
        .optional(
            "timeout_ms", settings.timeout(), (name, timeout) -> json.put(name, timeout.toMillis()))
        .optional("client_certificate", settings.clientCertificate(), json::put);
  }

  private static void render(String name, TransformCode code, ObjectWriter json) {
    json.object(name, inner -> inner.put("code", code.source()));
  }

  /** Returns the configuration, or empty if it has no entries. */
  private static Optional<SensitiveValue> configuration(ProxyView view) {
    return Optional.of(view.configuration()).filter(unused -> view.hasConfiguration());
  }

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
