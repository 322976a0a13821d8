package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.current;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.JsonTextWriter;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Explanation;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.authorization.ExplainAccess.AccessQuestion;
import io.tokenvault.ports.usecase.authorization.ExplainAccess.AccessReport;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The routes of permissions and decisions: {@code GET /permissions} lists the catalog, which every
 * valid API key may read, and {@code POST /access/explain} reports whether an application may do
 * something with a token, and which rules led to that.
 */
public final class AccessRoutes {

  /** The name of the parameter that filters the catalog. */
  static final String APPLICATION_TYPE = "application_type";

  /** Describes a valid application type, as a message for a violation. */
  static final String TYPE_SHAPE = "must be one of " + ApplicationType.choices();

  private final ExplainAccess access;
  private final RequestReader requests;
  private final JsonRenderer renderer;

  public AccessRoutes(ExplainAccess access, RequestReader requests, JsonRenderer renderer) {
    this.access = access;
    this.requests = requests;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router
        .get(
            "/permissions",
            current(Requirement.VALID_KEY),
            query -> query.one(APPLICATION_TYPE, ApplicationType::of, TYPE_SHAPE),
            this::permissions)
        .post("/access/explain", current(ExplainAccess.EXPLAIN), this::explain);
  }

  private ApiResponse explain(Context context, Caller caller) {
    Violations violations = new Violations();
    AccessQuestion question = requests.body(context, AccessRoutes::readQuestion, violations);
    return ApiResponse.ok(
        renderer.one(
            access.explain(caller, question, violations, requests.reservation(context)),
            AccessRoutes::report));
  }

  /** Reads a question, which the use case validates further. */
  public static AccessQuestion readQuestion(JsonFields fields) {
    return fields.only(
        new AccessQuestion(
            fields.uuid("application_id"),
            fields.text("permission"),
            fields.text("token_id"),
            fields.text("container")));
  }

  /**
   * Writes the decision, and its parts: that of the application and that of its creator, if the
   * creator limits it.
   */
  private static void report(AccessReport report, ObjectWriter json) {
    decision(report.outcome(), report.reason(), json);
    json.object("application", part -> part(report.application(), part))
        .optional(
            "creator",
            report.creator(),
            (name, creator) -> json.object(name, part -> part(creator, part)));
  }

  /** Writes the decision on one application with the rules that were evaluated. */
  private static void part(AccessReport.Part part, ObjectWriter json) {
    json.put("id", part.id().value());
    decision(part.explanation().decision(), part.reason(), json);
    json.objects("rules", part.explanation().steps(), AccessRoutes::step);
  }

  /** Writes {@code allow} with its transform, or {@code deny}, and the reason. */
  private static void decision(Decision decision, String reason, ObjectWriter json) {
    json.put("decision", decision.isAllowed() ? "allow" : "deny");
    if (decision instanceof Allow allow) {
      json.put("transform", allow.transform().value());
    }
    json.put("reason", reason);
  }

  /** Writes the outcome of one rule. */
  private static void step(Explanation.Step step, ObjectWriter json) {
    json.put("priority", step.rule().priority())
        .put("description", step.rule().description())
        .put("outcome", step.outcome().value())
        .put("reason", step.reason());
  }

  private ApiResponse permissions(Context context, Caller caller, Optional<ApplicationType> type) {
    return ApiResponse.ok(renderer.text(catalog(type)));
  }

  /**
   * Returns a writer of the permissions that a type of application may have.
   *
   * @param type empty for the whole catalog
   */
  static Consumer<JsonTextWriter> catalog(Optional<ApplicationType> type) {
    List<Permission> permissions =
        type.map(Permission::heldBy).orElseGet(() -> Arrays.asList(Permission.values()));
    return JsonRenderer.array(permissions, AccessRoutes::render);
  }

  private static void render(Permission permission, ObjectWriter json) {
    json.put("type", permission.type())
        .put("description", permission.description())
        .strings(
            "application_types",
            permission.applicationTypes().stream().map(ApplicationType::value).toList());
  }
}
