package io.tokenvault.adapters.http.resource;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.tokenvault.adapters.http.limits.RequestMemory;
import io.tokenvault.adapters.http.overload.RequestLimit;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.adapters.http.trace.RouteName;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * Registers routes that authenticate and authorize the caller before anything else of a request is
 * read.
 *
 * <p>The outcome of a wrong API key or a missing permission therefore never depends on ids, queries
 * or bodies. A route is registered with its path, what it requires of callers, and an action.
 *
 * <p>Failures of actions are rendered as problems. Routes without a query reader reject all
 * parameters. Methods with {@code Once} in their name support idempotency keys; those with {@code
 * Recognised} accept a cached caller, which the use case confirms before it discloses or changes
 * anything.
 */
public final class Router {

  private final RoutesConfig routes;
  private final Authenticator gate;
  private final ServiceHeaders headers;
  private final ResponseWriter writer;
  private final IdempotencyFilter once;

  /**
   * Creates a router.
   *
   * @param routes the routes of Javalin, to which this router adds its own
   * @param gate authenticates callers
   * @param headers names the header of the API key
   * @param writer sends responses and problems
   * @param once executes requests with an idempotency key
   */
  public Router(
      RoutesConfig routes,
      Authenticator gate,
      ServiceHeaders headers,
      ResponseWriter writer,
      IdempotencyFilter once) {
    this.once = once;
    this.routes = routes;
    this.gate = gate;
    this.headers = headers;
    this.writer = writer;
  }

  /** Adds a route for GET and HEAD, without parameters. */
  Router get(String path, Requirement requirement, Action action) {
    return getAny(path, requirement, withoutQuery(action));
  }

  /**
   * Adds a route for GET and HEAD with parameters.
   *
   * @param reader reads all parameters, see {@link RequestReader#query}
   */
  <Q> Router get(
      String path,
      Requirement requirement,
      Function<QueryParameters, Q> reader,
      QueryAction<Q, ApiResponse> action) {
    return getAny(
        path, requirement, (context, caller) -> withQuery(context, caller, reader, action));
  }

  /** Adds a route for GET and HEAD. Responses to HEAD have no body. */
  private Router getAny(String path, Requirement requirement, Action action) {
    return add(HandlerType.GET, path, requirement, action)
        .add(HandlerType.HEAD, path, requirement, action);
  }

  /** Returns an action that rejects all parameters. */
  private static Action withoutQuery(Action action) {
    return (context, caller) -> {
      RequestReader.requireNoQuery(context);
      return action.answer(context, caller);
    };
  }

  private static <Q, R> R withQuery(
      Context context,
      Caller caller,
      Function<QueryParameters, Q> reader,
      QueryAction<Q, R> action) {
    return action.answer(context, caller, RequestReader.query(context, reader));
  }

  /**
   * Adds a route for GET and HEAD whose action accepts a cached caller and confirms it.
   *
   * <p>If the action fails, the caller is confirmed before the failure is reported, so that an
   * expired key learns nothing.
   */
  Router getRecognised(String path, Requirement requirement, RecognisedAction action) {
    return addRecognised(HandlerType.GET, path, requirement, action)
        .addRecognised(HandlerType.HEAD, path, requirement, action);
  }

  /** Adds a route for POST whose action accepts a cached caller, like {@link #getRecognised}. */
  Router postRecognised(String path, Requirement requirement, RecognisedAction action) {
    return addRecognised(HandlerType.POST, path, requirement, action);
  }

  private Router addRecognised(
      HandlerType method, String path, Requirement requirement, RecognisedAction action) {
    return handle(
        method,
        path,
        context ->
            write(context, () -> recognised(context, action, recognise(context, requirement))));
  }

  /** Runs an action for a cached caller, and confirms the caller if the action fails. */
  private ApiResponse recognised(Context context, RecognisedAction action, CachedCaller caller) {
    try {
      RequestReader.requireNoQuery(context);
      return action.answer(context, caller);
    } catch (RuntimeException failed) {
      gate.confirm(caller);
      throw failed;
    }
  }

  /**
   * Adds a route for POST with idempotency keys whose action accepts a cached caller.
   *
   * <p>A caller that sends an idempotency key is confirmed first, since a replay may show data
   * without running the action.
   */
  Router postOnceRecognised(
      String path, Requirement requirement, RepeatableRecognisedAction action) {
    return handle(
        HandlerType.POST,
        path,
        context ->
            write(
                context,
                () -> {
                  CachedCaller caller = recognise(context, requirement);
                  return once.isAskedFor(context)
                      ? once.answer(
                          context,
                          gate.confirm(caller),
                          requirement,
                          () -> {
                            RequestReader.requireNoQuery(context);
                            return action.answer(context, caller);
                          })
                      : recognised(
                          context, (given, by) -> action.answer(given, by).answer(), caller);
                }));
  }

  /** Adds a route for POST with idempotency keys, without parameters. */
  Router postOnce(String path, Requirement requirement, RepeatableAction action) {
    return addOnce(HandlerType.POST, path, requirement, repeatableWithoutQuery(action));
  }

  /**
   * Adds a route for POST with idempotency keys and parameters.
   *
   * @param reader reads all parameters, see {@link RequestReader#query}
   */
  <Q> Router postOnce(
      String path,
      Requirement requirement,
      Function<QueryParameters, Q> reader,
      QueryAction<Q, IdempotentResponse> action) {
    return addOnce(
        HandlerType.POST,
        path,
        requirement,
        (context, caller) -> withQuery(context, caller, reader, action));
  }

  private static RepeatableAction repeatableWithoutQuery(RepeatableAction action) {
    return (context, caller) -> {
      RequestReader.requireNoQuery(context);
      return action.answer(context, caller);
    };
  }

  /** Adds a route for PUT with idempotency keys, without parameters. */
  Router putOnce(String path, Requirement requirement, RepeatableAction action) {
    return addOnce(HandlerType.PUT, path, requirement, repeatableWithoutQuery(action));
  }

  /** Adds a route for PATCH with idempotency keys, without parameters. */
  Router patchOnce(String path, Requirement requirement, RepeatableAction action) {
    return addOnce(HandlerType.PATCH, path, requirement, repeatableWithoutQuery(action));
  }

  private Router addOnce(
      HandlerType method, String path, Requirement requirement, RepeatableAction action) {
    return add(
        method,
        path,
        requirement,
        (context, caller) ->
            once.isAskedFor(context)
                ? once.answer(context, caller, requirement, () -> action.answer(context, caller))
                : action.answer(context, caller).answer());
  }

  /** Adds a route for POST that does not support idempotency keys, without parameters. */
  Router post(String path, Requirement requirement, Action action) {
    return add(HandlerType.POST, path, requirement, withoutQuery(action));
  }

  /** Adds a route for DELETE, without parameters. */
  Router delete(String path, Requirement requirement, Action action) {
    return add(HandlerType.DELETE, path, requirement, withoutQuery(action));
  }

  /** Adds a route for GET and HEAD that needs no API key. */
  public Router open(String path, OpenAction action) {
    return openTo(
        path,
        context ->
            writer.write(
                context,
                () -> {
                  RequestReader.requireNoQuery(context);
                  return action.answer();
                }));
  }

  /**
   * Adds static pages that need no API key. Parameters are allowed, since the script of a page may
   * read them.
   *
   * @param path the path of the index page; files are below it
   * @param action returns the response for a path relative to that; empty for the index page
   */
  Router pages(String path, Function<String, ApiResponse> action) {
    return openTo(path, context -> writer.write(context, () -> action.apply("")))
        .openTo(
            path + "/<file>",
            context -> writer.write(context, () -> action.apply(context.pathParam("file"))));
  }

  private Router openTo(String path, Handler handler) {
    return handle(HandlerType.GET, path, handler).handle(HandlerType.HEAD, path, handler);
  }

  private Router add(HandlerType method, String path, Requirement requirement, Action action) {
    return handle(
        method,
        path,
        context -> write(context, () -> action.answer(context, admit(context, requirement))));
  }

  /** Authenticates and authorizes the caller, and counts the request against its share. */
  private Caller admit(Context context, Requirement requirement) {
    Caller caller = gate.authenticate(key(context), requirement);
    RequestLimit.takeShare(request(context), caller.subject());
    return caller;
  }

  /**
   * Authenticates the caller from the cache if possible, and counts the request against its share.
   */
  private CachedCaller recognise(Context context, Requirement requirement) {
    CachedCaller caller = gate.authenticateCached(key(context), requirement);
    RequestLimit.takeShare(request(context), caller.subject());
    return caller;
  }

  private static Request request(Context context) {
    return ServletContextRequest.getServletContextRequest(context.req());
  }

  private Router handle(HandlerType method, String path, Handler handler) {
    routes.addHttpHandler(method, path, RouteName.noting(path, handler));
    return this;
  }

  /** Sends the response of an action and then releases the memory of the request. */
  private void write(Context context, Supplier<ApiResponse> action) throws IOException {
    try {
      writer.write(context, action);
    } finally {
      RequestMemory.end(context);
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

  /** Handles a request: parses it, calls a use case and renders the result. */
  interface Action {
    ApiResponse answer(Context context, Caller caller);
  }

  /** Handles a request with parameters. */
  interface QueryAction<Q, R> {
    R answer(Context context, Caller caller, Q query);
  }

  /** Handles a request of a caller that the use case confirms. */
  interface RecognisedAction {
    ApiResponse answer(Context context, CachedCaller caller);
  }

  /** Handles a request that changes something; its response can be replayed. */
  interface RepeatableAction {
    IdempotentResponse answer(Context context, Caller caller);
  }

  /** Handles a request that changes something, of a caller that the use case confirms. */
  interface RepeatableRecognisedAction {
    IdempotentResponse answer(Context context, CachedCaller caller);
  }

  /** Handles a request that needs no caller. */
  public interface OpenAction {
    ApiResponse answer();
  }
}
