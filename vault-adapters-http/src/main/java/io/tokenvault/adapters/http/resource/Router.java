package io.tokenvault.adapters.http.resource;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestLimit;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.RateLimitHeaders;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * Registers routes that authenticate and authorize the caller before anything else of a request is
 * read.
 *
 * <p>The outcome of a wrong API key or a missing permission therefore never depends on ids, queries
 * or bodies. A route is registered with its path, the {@link CallerCheck} of its callers, and an
 * action, whose parameter is the kind of caller that the check returns.
 *
 * <p>Failures of actions are rendered as problems. Routes without a query reader reject all
 * parameters. Methods with {@code Idempotent} in their name support idempotency keys.
 */
public final class Router {

  private final RoutesConfig routes;
  private final Authenticator authenticator;
  private final ServiceHeaders headers;
  private final ResponseWriter writer;
  private final IdempotencyFilter idempotency;
  private final Tracer tracer;
  private final Bounds bounds;
  private final boolean isTraced;

  /**
   * Creates a router.
   *
   * @param routes the routes of Javalin, to which this router adds its own
   * @param authenticator authenticates callers
   * @param headers names the headers of the API key and of the idempotency key
   * @param writer sends responses and problems
   * @param idempotency executes requests with an idempotency key
   * @param tracer shows how long it takes to decide about a caller
   * @param bounds limits all callers
   */
  public Router(
      RoutesConfig routes,
      Authenticator authenticator,
      ServiceHeaders headers,
      ResponseWriter writer,
      IdempotencyFilter idempotency,
      Tracer tracer,
      Bounds bounds) {
    this.routes = routes;
    this.authenticator = authenticator;
    this.headers = headers;
    this.writer = writer;
    this.idempotency = idempotency;
    this.tracer = tracer;
    this.bounds = bounds;
    this.isTraced = tracer != Tracer.NONE;
  }

  /** Returns the check of a route whose callers are authenticated on current data. */
  static CallerCheck<Caller> current(Requirement requirement) {
    return new CallerCheck<>(requirement, Authenticator::authenticate);
  }

  /**
   * Returns the check of a route that accepts a cached caller, which the use case confirms before
   * it discloses or changes anything.
   */
  static CallerCheck<CachedCaller> cached(Requirement requirement) {
    return new CallerCheck<>(requirement, Authenticator::authenticateCached);
  }

  /** Returns the rejection of a path that no route matches, with status 404. */
  public static RefusedException unknownPath() {
    return new RefusedException(FailureCause.NOT_FOUND, "This path does not exist.");
  }

  /** Adds a route for GET and HEAD, without parameters. Responses to HEAD have no body. */
  <C extends AuthenticatedCaller> Router get(
      String path, CallerCheck<C> check, Action<C, ApiResponse> action) {
    return add(HandlerType.GET, path, check, withoutQuery(action))
        .add(HandlerType.HEAD, path, check, withoutQuery(action));
  }

  /**
   * Adds a route for GET and HEAD with parameters.
   *
   * @param reader reads all parameters, see {@link RequestReader#query}
   */
  <C extends AuthenticatedCaller, Q> Router get(
      String path,
      CallerCheck<C> check,
      Function<QueryParameters, Q> reader,
      QueryAction<C, Q, ApiResponse> action) {
    return add(HandlerType.GET, path, check, withQuery(reader, action))
        .add(HandlerType.HEAD, path, check, withQuery(reader, action));
  }

  /** Adds a route for POST that does not support idempotency keys, without parameters. */
  <C extends AuthenticatedCaller> Router post(
      String path, CallerCheck<C> check, Action<C, ApiResponse> action) {
    return add(HandlerType.POST, path, check, withoutQuery(action));
  }

  /** Adds a route for DELETE, without parameters. */
  <C extends AuthenticatedCaller> Router delete(
      String path, CallerCheck<C> check, Action<C, ApiResponse> action) {
    return add(HandlerType.DELETE, path, check, withoutQuery(action));
  }

  /** Adds a route for POST with idempotency keys, without parameters. */
  <C extends AuthenticatedCaller> Router postIdempotent(
      String path, CallerCheck<C> check, Action<C, IdempotentResponse> action) {
    return addIdempotent(HandlerType.POST, path, check, withoutQuery(action));
  }

  /**
   * Adds a route for POST with idempotency keys and parameters.
   *
   * @param reader reads all parameters, see {@link RequestReader#query}
   */
  <C extends AuthenticatedCaller, Q> Router postIdempotent(
      String path,
      CallerCheck<C> check,
      Function<QueryParameters, Q> reader,
      QueryAction<C, Q, IdempotentResponse> action) {
    return addIdempotent(HandlerType.POST, path, check, withQuery(reader, action));
  }

  /** Adds a route for PUT with idempotency keys, without parameters. */
  <C extends AuthenticatedCaller> Router putIdempotent(
      String path, CallerCheck<C> check, Action<C, IdempotentResponse> action) {
    return addIdempotent(HandlerType.PUT, path, check, withoutQuery(action));
  }

  /** Adds a route for PATCH with idempotency keys, without parameters. */
  <C extends AuthenticatedCaller> Router patchIdempotent(
      String path, CallerCheck<C> check, Action<C, IdempotentResponse> action) {
    return addIdempotent(HandlerType.PATCH, path, check, withoutQuery(action));
  }

  /** Adds a route for GET and HEAD that needs no API key, without parameters. */
  Router open(String path, Supplier<ApiResponse> action) {
    return openTo(
        path,
        context -> {
          RequestReader.requireNoQuery(context);
          return action.get();
        });
  }

  /**
   * Adds static pages that need no API key. Parameters are allowed, since the script of a page may
   * read them.
   *
   * @param path the path of the index page; files are below it
   * @param action returns the response for a path relative to that; empty for the index page
   */
  Router pages(String path, Function<String, ApiResponse> action) {
    return openTo(path, context -> action.apply(""))
        .openTo(path + "/<file>", context -> action.apply(context.pathParam("file")));
  }

  private Router openTo(String path, Function<Context, ApiResponse> action) {
    Handler handler = context -> writer.write(context, () -> action.apply(context));
    return handle(HandlerType.GET, path, handler).handle(HandlerType.HEAD, path, handler);
  }

  private static <C, R> Action<C, R> withoutQuery(Action<C, R> action) {
    return (context, caller) -> {
      RequestReader.requireNoQuery(context);
      return action.respond(context, caller);
    };
  }

  private static <C, Q, R> Action<C, R> withQuery(
      Function<QueryParameters, Q> reader, QueryAction<C, Q, R> action) {
    return (context, caller) ->
        action.respond(context, caller, RequestReader.query(context, reader));
  }

  private <C extends AuthenticatedCaller> Router add(
      HandlerType method, String path, CallerCheck<C> check, Action<C, ApiResponse> action) {
    return handle(
        method,
        path,
        context -> write(context, () -> respond(context, authenticate(context, check), action)));
  }

  /**
   * Adds a route with idempotency keys. A caller that sends one is confirmed first, since a replay
   * may show data without running the action.
   */
  private <C extends AuthenticatedCaller> Router addIdempotent(
      HandlerType method, String path, CallerCheck<C> check, Action<C, IdempotentResponse> action) {
    return handle(
        method,
        path,
        context ->
            write(
                context,
                () -> {
                  C caller = authenticate(context, check);
                  return idempotency.hasKey(context)
                      ? idempotency.respond(
                          context,
                          authenticator.confirm(caller),
                          check.requirement(),
                          () -> action.respond(context, caller))
                      : respond(context, caller, action).response();
                }));
  }

  /**
   * Authenticates and authorizes the caller, counts the request against its share, and announces
   * what its rate limit leaves.
   */
  private <C extends AuthenticatedCaller> C authenticate(Context context, CallerCheck<C> check) {
    Request request = ServletContextRequest.getServletContextRequest(context.req());
    try {
      C caller =
          isTraced
              ? tracer.trace(Tracer.DECISION, () -> find(context, check, request))
              : find(context, check, request);
      RequestLimit.takeShare(request, caller.subject());
      return caller;
    } finally {
      RequestObserver.caller(request)
          .flatMap(authenticator::allowance)
          .map(RateLimitHeaders::of)
          .ifPresent(limits -> limits.forEach(context::header));
    }
  }

  private <C extends AuthenticatedCaller> C find(
      Context context, CallerCheck<C> check, Request request) {
    return check
        .lookup()
        .find(
            authenticator,
            key(context),
            check.requirement(),
            bounds,
            subject -> RequestObserver.setCaller(request, subject));
  }

  /**
   * Runs an action. If it fails, a cached caller is confirmed before the failure is reported, so
   * that an expired key learns nothing.
   */
  private <C extends AuthenticatedCaller, R> R respond(
      Context context, C caller, Action<C, R> action) {
    try {
      return action.respond(context, caller);
    } catch (RuntimeException failed) {
      authenticator.confirm(caller);
      throw failed;
    }
  }

  private Router handle(HandlerType method, String path, Handler handler) {
    routes.addHttpHandler(
        method,
        path,
        context -> {
          RequestObserver.setRoute(
              ServletContextRequest.getServletContextRequest(context.req()), path);
          handler.handle(context);
        });
    return this;
  }

  /** Sends the response of an action and then releases the memory of the request. */
  private void write(Context context, Supplier<ApiResponse> action) throws IOException {
    try {
      writer.write(context, action);
    } finally {
      RequestReader.release(context);
    }
  }

  /**
   * Returns the API key of the request. Several keys count as none, since it is unclear which one
   * applies.
   */
  private Optional<String> key(Context context) {
    List<String> keys = Collections.list(context.req().getHeaders(headers.apiKey()));
    return keys.size() == 1 ? Optional.of(keys.get(0)) : Optional.empty();
  }

  /**
   * The authentication of the callers of a route.
   *
   * @param <C> the kind of caller that the action of the route accepts
   * @param requirement what the route requires of callers
   * @param lookup finds the caller and checks the requirement
   */
  record CallerCheck<C extends AuthenticatedCaller>(Requirement requirement, Lookup<C> lookup) {

    /** Authenticates an API key. */
    interface Lookup<C extends AuthenticatedCaller> {
      C find(
          Authenticator authenticator,
          Optional<String> key,
          Requirement requirement,
          Bounds bounds,
          Consumer<Subject> found);
    }
  }

  /** Handles a request: parses it, calls a use case and renders the result. */
  interface Action<C, R> {
    R respond(Context context, C caller);
  }

  /** Handles a request with parameters. */
  interface QueryAction<C, Q, R> {
    R respond(Context context, C caller, Q query);
  }
}
