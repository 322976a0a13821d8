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

/** Why something is allowed or refused. */
public final class AccessRoutes {

  private final ExplainAccess access;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  public AccessRoutes(ExplainAccess access, RequestReader requests, ResourceRenderer renderer) {
    this.access = access;
    this.requests = requests;
    this.renderer = renderer;
  }

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

  private static void report(AccessReport report, Members members) {
    decision(report.outcome(), report.reason(), members);
    members
        .object("application", part -> part(report.application(), part))
        .optional(
            "creator",
            report.creator(),
            (name, creator) -> members.object(name, part -> part(creator, part)));
  }

  private static void part(AccessReport.Part part, Members members) {
    members.put("id", part.id().value());
    decision(part.explanation().decision(), part.reason(), members);
    members.objects("rules", part.explanation().steps(), AccessRoutes::step);
  }

  private static void decision(Decision decision, String reason, Members members) {
    members.put("decision", decision.isAllowed() ? "allow" : "deny");
    if (decision instanceof Allow allow) {
      members.put("transform", allow.transform().value());
    }
    members.put("reason", reason);
  }

  private static void step(Explanation.Step step, Members members) {
    members
        .put("priority", step.rule().priority())
        .put("description", step.rule().description())
        .put("outcome", step.outcome().value())
        .put("reason", step.reason());
  }
}
