package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.ApplicationRequest;
import io.tokenvault.adapters.http.request.ApplicationUpdateRequest;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ApplicationJson;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.store.ApplicationFilter;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.application.ApplicationView;
import io.tokenvault.ports.usecase.application.IssuedApplication;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.authorization.Caller;

/**
 * The routes of applications and their API keys (interface, section 4, Applications).
 *
 * <p>An API key is shown only in the response that issues it, and that response is not recorded for
 * replays.
 */
public final class ApplicationRoutes {

  private final ManageApplications applications;
  private final RequestReader requests;
  private final ResourceRenderer renderer;

  /**
   * Creates the routes.
   *
   * @param applications the use case that they call
   * @param requests reads bodies and preconditions
   * @param renderer renders responses
   */
  public ApplicationRoutes(
      ManageApplications applications, RequestReader requests, ResourceRenderer renderer) {
    this.applications = applications;
    this.requests = requests;
    this.renderer = renderer;
  }

  /** Adds the routes to a router. */
  public void addTo(Router router) {
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

  /** Creates an application; the response shows its API key. */
  private IdempotentResponse create(Context context, Caller caller) {
    Violations shape = new Violations();
    ApplicationRequest request = requests.body(context, ApplicationRequest::read, shape);
    IssuedApplication issued = applications.create(caller, request.toDraft(), shape);
    return IdempotentResponse.shownOnce(
        ApiResponse.created(
                "/applications/" + issued.application().id(),
                renderer.one(issued, ApplicationJson::issued))
            .ofVersion(issued.application().version()),
        issued.application().id());
  }

  private ApiResponse list(Context context, Caller caller, ListQuery query) {
    return ApiResponse.ok(
        renderer.page(
            applications.list(caller, query.filter(), query.page(), requests.room(context)),
            ApplicationJson::view));
  }

  /** Returns the application that the request was authenticated as. */
  private ApiResponse findByKey(Context context, Caller caller) {
    return answer(applications.findByKey(caller));
  }

  private ApiResponse find(Context context, Caller caller) {
    return answer(applications.find(caller, id(context)));
  }

  /** Returns an application, with its version as the entity tag. */
  private ApiResponse answer(ApplicationView view) {
    return ApiResponse.ok(renderer.one(view, ApplicationJson::view))
        .ofVersion(view.application().version());
  }

  /** Replaces the settings of an application, if its version meets the precondition. */
  private IdempotentResponse update(Context context, Caller caller) {
    ApplicationId id = id(context);
    Violations shape = new Violations();
    ApplicationUpdateRequest request =
        requests.body(context, ApplicationUpdateRequest::read, shape);
    Application updated =
        applications.update(
            caller, id, request.toUpdate(), RequestReader.expected(context, shape), shape);
    return IdempotentResponse.of(
        ApiResponse.ok(renderer.one(updated, ApplicationJson::application))
            .ofVersion(updated.version()),
        Kind.APPLICATION,
        id);
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
    ApplicationId id = id(context);
    IssuedApplication issued =
        applications.regenerate(caller, id, grace, RequestReader.expected(context));
    return IdempotentResponse.shownOnce(
        ApiResponse.ok(renderer.one(issued, ApplicationJson::issued))
            .ofVersion(issued.application().version()),
        id);
  }

  private static ApplicationId id(Context context) {
    return new ApplicationId(RequestReader.id(context));
  }

  /** The filters and the page of the list. */
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
