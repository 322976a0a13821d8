package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.current;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.ConditionDraft;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.MergePatch;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.application.ManageApplications.ApplicationView;
import io.tokenvault.ports.usecase.application.ManageApplications.IssuedApplication;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.List;
import java.util.function.Consumer;

/**
 * The routes of applications and their API keys (interface, section 4, Applications).
 *
 * <p>An API key is shown only in the response that issues it, and that response is not recorded for
 * replays.
 */
public final class ApplicationRoutes {

  private static final SizeLimit PERMISSIONS = SizeLimit.items(AccessPolicyDraft.MAX_PERMISSIONS);
  private static final SizeLimit RULES = SizeLimit.items(AccessPolicyDraft.MAX_RULES);
  private static final SizeLimit CONDITIONS = SizeLimit.items(AccessRuleDraft.MAX_CONDITIONS);

  private final ManageApplications applications;
  private final RequestReader requests;
  private final JsonRenderer renderer;

  public ApplicationRoutes(
      ManageApplications applications, RequestReader requests, JsonRenderer renderer) {
    this.applications = applications;
    this.requests = requests;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router
        .postIdempotent("/applications", current(ManageApplications.CREATE), this::create)
        .get("/applications", current(ManageApplications.READ), ListQuery::read, this::list)
        .get("/applications/key", current(ManageApplications.READ), this::findByKey)
        .get("/applications/{id}", current(ManageApplications.READ), this::find)
        .putIdempotent("/applications/{id}", current(ManageApplications.UPDATE), this::update)
        .patchIdempotent("/applications/{id}", current(ManageApplications.UPDATE), this::change)
        .delete("/applications/{id}", current(ManageApplications.DELETE), this::delete)
        .postIdempotent(
            "/applications/{id}/regenerate",
            current(ManageApplications.UPDATE),
            ApplicationRoutes::grace,
            this::regenerate);
  }

  /** Creates an application; the response shows its API key. */
  private IdempotentResponse create(Context context, Caller caller) {
    Violations violations = new Violations();
    ApplicationDraft draft = requests.body(context, ApplicationRoutes::read, violations);
    IssuedApplication issued = applications.create(caller, draft, violations);
    return IdempotentResponse.shownOnce(
        ApiResponse.created(
                "/applications/" + issued.application().id(),
                renderer.one(issued, ApplicationRoutes::renderIssued))
            .ofVersion(issued.application().version()),
        issued.application().id());
  }

  private ApiResponse list(Context context, Caller caller, ListQuery query) {
    return ApiResponse.ok(
        renderer.page(
            applications.list(caller, query.filter(), query.page(), requests.reservation(context)),
            ApplicationRoutes::render));
  }

  /** Returns the application that the request was authenticated as. */
  private ApiResponse findByKey(Context context, Caller caller) {
    return response(applications.readByKey(caller));
  }

  private ApiResponse find(Context context, Caller caller) {
    return response(applications.read(caller, id(context)));
  }

  /** Returns an application, with its version as the entity tag. */
  private ApiResponse response(ApplicationView view) {
    return ApiResponse.ok(renderer.one(view, ApplicationRoutes::render))
        .ofVersion(view.application().version());
  }

  /** Replaces the settings of an application, if its version meets the precondition. */
  private IdempotentResponse update(Context context, Caller caller) {
    ApplicationId id = id(context);
    Violations violations = new Violations();
    ApplicationUpdate update = requests.body(context, ApplicationRoutes::readUpdate, violations);
    return response(
        applications.update(
            caller, id, update, RequestReader.expected(context, violations), violations));
  }

  /** Applies a merge patch to an application, if its version meets the precondition. */
  private IdempotentResponse change(Context context, Caller caller) {
    ApplicationId id = id(context);
    JsonValue patch = requests.patch(context);
    return response(
        applications.change(
            caller,
            id,
            (known, violations) -> update(context, known, patch, violations),
            RequestReader.expected(context)));
  }

  private ApplicationUpdate update(
      Context context, Application known, JsonValue patch, Violations violations) {
    JsonValue shown =
        requests.rendered(context, renderer.one(known, ApplicationRoutes::renderApplication));
    return readUpdate(JsonFields.of(MergePatch.applyKeepingNames(shown, patch), violations));
  }

  private IdempotentResponse response(Application updated) {
    return IdempotentResponse.of(
        ApiResponse.ok(renderer.one(updated, ApplicationRoutes::renderApplication))
            .ofVersion(updated.version()),
        Kind.APPLICATION,
        updated.id());
  }

  /** Deletes an application, if its version meets the precondition. */
  private ApiResponse delete(Context context, Caller caller) {
    applications.delete(caller, id(context), RequestReader.expected(context));
    return ApiResponse.noContent();
  }

  /** Reads the grace period of earlier keys; without one they end immediately. */
  private static KeyGrace grace(QueryParameters query) {
    return query.one("grace_seconds", KeyGrace::parse, KeyGrace.SHAPE).orElse(KeyGrace.NONE);
  }

  /** Replaces the API key of an application; earlier keys stay valid for the grace period. */
  private IdempotentResponse regenerate(Context context, Caller caller, KeyGrace grace) {
    requests.requireNoFields(context);
    ApplicationId id = id(context);
    IssuedApplication issued =
        applications.regenerate(caller, id, grace, RequestReader.expected(context));
    return IdempotentResponse.shownOnce(
        ApiResponse.ok(renderer.one(issued, ApplicationRoutes::renderIssued))
            .ofVersion(issued.application().version()),
        id);
  }

  /**
   * Reads the body that creates an application. Fields of other types and unknown fields become
   * violations; the use case checks everything else.
   */
  public static ApplicationDraft read(JsonFields fields) {
    ApplicationDraft draft =
        new ApplicationDraft(
            fields.text("name"),
            fields.text("type"),
            policy(fields),
            fields.parsed("expires_at", Timestamps::read, Timestamps.SHAPE),
            fields.flag("can_create_expiring_applications"));
    // Existing clients ask for the API key, which every application has.
    if (Boolean.FALSE.equals(fields.flag("create_key"))) {
      fields.refuse("create_key", "must be true or omitted: every application has an API key");
    }
    fields.refuseOthers();
    return draft;
  }

  /**
   * Reads the body that replaces the settings of an application, like {@link #read}. A client may
   * send back the response of a read with changes, read-only fields included.
   */
  public static ApplicationUpdate readUpdate(JsonFields fields) {
    UnchangedFields unchanged = ReadOnlyFields.ofApplication(fields);
    return fields.only(
        new ApplicationUpdate(
            fields.text("name"),
            policy(fields),
            fields.flag("can_create_expiring_applications"),
            unchanged));
  }

  private static AccessPolicyDraft policy(JsonFields fields) {
    return new AccessPolicyDraft(
        fields.texts("permissions", PERMISSIONS),
        fields.objects("rules", RULES, ApplicationRoutes::readRule));
  }

  private static AccessRuleDraft readRule(JsonFields fields) {
    return fields.only(
        new AccessRuleDraft(
            fields.text("description"),
            fields.integer("priority"),
            fields.text("container"),
            fields.objects("conditions", CONDITIONS, ApplicationRoutes::readCondition),
            fields.text("transform"),
            fields.texts("permissions", PERMISSIONS)));
  }

  private static ConditionDraft readCondition(JsonFields fields) {
    return fields.only(
        new ConditionDraft(
            fields.text("attribute"), fields.text("operator"), fields.text("value")));
  }

  private static ApplicationId id(Context context) {
    return new ApplicationId(RequestReader.id(context));
  }

  /** Writes a new application with its API key, which is shown only once. */
  private static void renderIssued(IssuedApplication issued, ObjectWriter json) {
    write(issued.application(), json, key -> key.secretText("key", issued.key().value()));
  }

  /** Writes an application without its key. */
  private static void renderApplication(Application application, ObjectWriter json) {
    write(application, json, noKey -> {});
  }

  /** Writes an application without its key, but with the time of its last use. */
  private static void render(ApplicationView view, ObjectWriter json) {
    renderApplication(view.application(), json);
    json.optional("last_used_at", view.lastUsedAt(), json::put);
  }

  /** Writes the fields of an application; {@code key} may add one after the name. */
  private static void write(
      Application application, ObjectWriter json, Consumer<ObjectWriter> key) {
    json.put("id", application.id().value())
        .put("tenant_id", application.tenantId().value())
        .put("name", application.settings().name().value());
    key.accept(json);
    json.put("type", application.type().value())
        .strings("permissions", types(application.policy().permissions()))
        .objects("rules", application.policy().rules(), ApplicationRoutes::rule);
    JsonRenderer.provenance(application.provenance(), json);
    json.optional("expires_at", application.expiresAt(), json::put)
        .optional(
            "can_create_expiring_applications",
            application.settings().canCreateExpiring(),
            json::put);
  }

  private static List<String> types(List<Permission> permissions) {
    return permissions.stream().map(Permission::type).toList();
  }

  private static void rule(AccessRule rule, ObjectWriter json) {
    json.put("description", rule.description()).put("priority", rule.priority());
    selector(rule.selector(), json);
    json.put("transform", rule.transform().value())
        .strings("permissions", types(rule.permissions()));
  }

  /** Writes the container or the conditions that select the tokens of a rule. */
  private static void selector(TokenSelector selector, ObjectWriter json) {
    if (selector instanceof TokenSelector.InContainer inContainer) {
      json.put("container", inContainer.container().path());
    } else if (selector instanceof TokenSelector.MeetsAll meetsAll) {
      json.objects("conditions", meetsAll.conditions(), ApplicationRoutes::condition);
    }
  }

  private static void condition(Condition condition, ObjectWriter json) {
    json.put("attribute", condition.attribute().value())
        .put("operator", condition.operator().value())
        .put("value", condition.value());
  }

  private record ListQuery(ApplicationFilter filter, PageRequest page) {
    static ListQuery read(QueryParameters query) {
      return new ListQuery(
          new ApplicationFilter(
              query.each(
                  "id",
                  text -> JsonFields.parseUuid(text).map(ApplicationId::new),
                  "must be a UUID"),
              query.each(
                  "type", ApplicationType::of, "must be one of " + ApplicationType.choices())),
          query.page());
    }
  }
}
