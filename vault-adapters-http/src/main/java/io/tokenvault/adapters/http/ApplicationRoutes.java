package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.spi.AnswerSubject.Kind;
import io.tokenvault.ports.spi.ApplicationFilter;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.usecase.ApplicationView;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.IssuedApplication;
import io.tokenvault.ports.usecase.ManageApplications;

/** Applications and their keys (interface, section 4, Applications). */
final class ApplicationRoutes {

  private final ManageApplications applications;
  private final Requests requests;
  private final Renderer renderer;

  ApplicationRoutes(ManageApplications applications, Requests requests, Renderer renderer) {
    this.applications = applications;
    this.requests = requests;
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router
        .postOnce("/applications", ManageApplications.CREATE, this::create)
        .get("/applications", ManageApplications.READ, ListQuery::read, this::list)
        .get("/applications/key", ManageApplications.READ, this::findByKey)
        .get("/applications/{id}", ManageApplications.READ, this::find)
        .putOnce("/applications/{id}", ManageApplications.UPDATE, this::update)
        .delete("/applications/{id}", ManageApplications.DELETE, this::delete)
        .postOnce(
            "/applications/{id}/regenerate",
            ManageApplications.UPDATE,
            ApplicationRoutes::grace,
            this::regenerate);
  }

  private Repeatable create(Context context, Caller caller) {
    Violations shape = new Violations();
    ApplicationRequest request = requests.body(context, ApplicationRequest::read, shape);
    IssuedApplication issued = applications.create(caller, request.toDraft(), shape);
    return Repeatable.shownOnce(
        Answer.created(
                "/applications/" + issued.application().id(),
                renderer.one(issued, ApplicationJson::issued))
            .ofVersion(issued.application().version()),
        issued.application().id());
  }

  private Answer list(Context context, Caller caller, ListQuery query) {
    return Answer.ok(
        renderer.page(
            applications.list(caller, query.filter(), query.page(), requests.room(context)),
            ApplicationJson::view));
  }

  private Answer findByKey(Context context, Caller caller) {
    return answer(applications.findByKey(caller));
  }

  private Answer find(Context context, Caller caller) {
    return answer(applications.find(caller, id(context)));
  }

  private Answer answer(ApplicationView view) {
    return Answer.ok(renderer.one(view, ApplicationJson::view))
        .ofVersion(view.application().version());
  }

  private Repeatable update(Context context, Caller caller) {
    ApplicationId id = id(context);
    Violations shape = new Violations();
    ApplicationUpdateRequest request =
        requests.body(context, ApplicationUpdateRequest::read, shape);
    Application updated =
        applications.update(
            caller, id, request.toUpdate(), Requests.expected(context, shape), shape);
    return Repeatable.of(
        Answer.ok(renderer.one(updated, ApplicationJson::application)).ofVersion(updated.version()),
        Kind.APPLICATION,
        id);
  }

  private Answer delete(Context context, Caller caller) {
    applications.delete(caller, id(context), Requests.expected(context));
    return Answer.noContent();
  }

  private static KeyGrace grace(QueryParameters query) {
    return query.one("grace_seconds", KeyGrace::parse, KeyGrace.SHAPE).orElse(KeyGrace.NONE);
  }

  private Repeatable regenerate(Context context, Caller caller, KeyGrace grace) {
    ApplicationId id = id(context);
    IssuedApplication issued =
        applications.regenerate(caller, id, grace, Requests.expected(context));
    return Repeatable.shownOnce(
        Answer.ok(renderer.one(issued, ApplicationJson::issued))
            .ofVersion(issued.application().version()),
        id);
  }

  private static ApplicationId id(Context context) {
    return new ApplicationId(Requests.id(context));
  }

  /** The query of the list. */
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
