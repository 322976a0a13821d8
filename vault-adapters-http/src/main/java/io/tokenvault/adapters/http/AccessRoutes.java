package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.JsonText.Members;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.Explanation;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.ports.usecase.AccessReport;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.ExplainAccess;

/** Why something is allowed or refused. */
final class AccessRoutes {

  private final ExplainAccess access;
  private final Requests requests;
  private final Renderer renderer;

  AccessRoutes(ExplainAccess access, Requests requests, Renderer renderer) {
    this.access = access;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router.post("/access/explain", ExplainAccess.EXPLAIN, this::explain);
  }

  private Answer explain(Context context, Caller caller) {
    Violations shape = new Violations();
    AccessQuestionRequest request = requests.body(context, AccessQuestionRequest::read, shape);
    return Answer.ok(
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
