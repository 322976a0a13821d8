package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.adapters.http.request.AccessQuestionRequest;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Explanation;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.ports.usecase.authorization.AccessReport;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;

/**
 * The route that explains decisions: {@code POST /access/explain} reports whether an application
 * may do something with a token, and which rules led to that.
 */
public final class AccessRoutes {

  private final ExplainAccess access;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param access decides and explains
   * @param requests reads bodies
   * @param renderer renders responses
   */
  public AccessRoutes(ExplainAccess access, RequestReader requests, ResourceRenderer renderer) {
    this.access = access;
    this.requests = requests;
    this.renderer = renderer;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
    router.post("/access/explain", ExplainAccess.EXPLAIN, this::explain);
  }

  private ApiResponse explain(Context context, Caller caller) {
    Violations shape = new Violations();
    AccessQuestionRequest request = requests.body(context, AccessQuestionRequest::read, shape);
    return ApiResponse.ok(
        renderer.one(
            access.explain(caller, request.toQuestion(), shape, requests.room(context)),
            AccessRoutes::report));
  }

  /**
   * Writes the decision, and its parts: that of the application and that of its creator, if the
   * creator limits it.
   */
  private static void report(AccessReport report, Members members) {
    decision(report.outcome(), report.reason(), members);
    members
        .object("application", part -> part(report.application(), part))
        .optional(
            "creator",
            report.creator(),
            (name, creator) -> members.object(name, part -> part(creator, part)));
  }

  /** Writes the decision on one application with the rules that were evaluated. */
  private static void part(AccessReport.Part part, Members members) {
    members.put("id", part.id().value());
    decision(part.explanation().decision(), part.reason(), members);
    members.objects("rules", part.explanation().steps(), AccessRoutes::step);
  }

  /** Writes {@code allow} with its transform, or {@code deny}, and the reason. */
  private static void decision(Decision decision, String reason, Members members) {
    members.put("decision", decision.isAllowed() ? "allow" : "deny");
    if (decision instanceof Allow allow) {
      members.put("transform", allow.transform().value());
    }
    members.put("reason", reason);
  }

  /** Writes the outcome of one rule. */
  private static void step(Explanation.Step step, Members members) {
    members
        .put("priority", step.rule().priority())
        .put("description", step.rule().description())
        .put("outcome", step.outcome().value())
        .put("reason", step.reason());
  }
}
