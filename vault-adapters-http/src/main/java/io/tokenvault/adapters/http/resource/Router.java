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
 * Adds routes whose callers are admitted before anything else of a request is looked at, so that a
 * bad key or a missing permission never depends on ids, queries or bodies.
 */
public final class Router {

  private final RoutesConfig routes;
  private final Authenticator gate;
  private final ServiceHeaders headers;
  private final ResponseWriter writer;
  private final IdempotencyFilter once;

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

  /** Answers HEAD as well, without the body. */
  Router get(String path, Requirement requirement, Action action) {
    return getAny(path, requirement, withoutQuery(action));
  }

  /**
   * The same with parameters.
   *
   * @param reader as of {@link RequestReader#query}
   */
  <Q> Router get(
      String path,
      Requirement requirement,
      Function<QueryParameters, Q> reader,
      QueryAction<Q, ApiResponse> action) {
    return getAny(
        path, requirement, (context, caller) -> withQuery(context, caller, reader, action));
  }

  private Router getAny(String path, Requirement requirement, Action action) {
    return add(HandlerType.GET, path, requirement, action)
        .add(HandlerType.HEAD, path, requirement, action);
  }

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
   * The same for an action that confirms who it is done for. What it refuses is told only to a
   * caller that was looked up.
   */
  Router getRecognised(String path, Requirement requirement, RecognisedAction action) {
    return addRecognised(HandlerType.GET, path, requirement, action)
        .addRecognised(HandlerType.HEAD, path, requirement, action);
  }

  /** As {@link #getRecognised}. */
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
   * The same for an action that changes something, which is carried out once for requests that may
   * be sent again.
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

  /** As {@link #postOnceRecognised}, for a caller that was looked up. */
  Router postOnce(String path, Requirement requirement, RepeatableAction action) {
    return addOnce(HandlerType.POST, path, requirement, repeatableWithoutQuery(action));
  }

  /**
   * The same with parameters.
   *
   * @param reader as of {@link RequestReader#query}
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

  /** As {@link #postOnce}. */
  Router putOnce(String path, Requirement requirement, RepeatableAction action) {
    return addOnce(HandlerType.PUT, path, requirement, repeatableWithoutQuery(action));
  }

  /** As {@link #postOnce}. */
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

  Router post(String path, Requirement requirement, Action action) {
    return add(HandlerType.POST, path, requirement, withoutQuery(action));
  }

  Router delete(String path, Requirement requirement, Action action) {
    return add(HandlerType.DELETE, path, requirement, withoutQuery(action));
  }

  /** A path that needs no key. */
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
   * A page and what is under its path; the action is given what stands after that. The query is for
   * the page's own script.
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

  private Caller admit(Context context, Requirement requirement) {
    Caller caller = gate.admit(key(context), requirement);
    RequestLimit.takeShare(request(context), caller.subject());
    return caller;
  }

  private CachedCaller recognise(Context context, Requirement requirement) {
    CachedCaller caller = gate.recognise(key(context), requirement);
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

  private void write(Context context, Supplier<ApiResponse> action) throws IOException {
    try {
      writer.write(context, action);
    } finally {
      RequestMemory.end(context);
    }
  }

  /** A key that was sent twice counts as none. */
  private Optional<String> key(Context context) {
    List<String> keys = Collections.list(context.req().getHeaders(headers.apiKey()));
    return keys.size() == 1 ? Optional.of(keys.get(0)) : Optional.empty();
  }

  /** Parses, calls, renders. */
  interface Action {
    ApiResponse answer(Context context, Caller caller);
  }

  /** The same for a request with parameters. */
  interface QueryAction<Q, R> {
    R answer(Context context, Caller caller, Q query);
  }

  /** The same for a caller that the use case confirms. */
  interface RecognisedAction {
    ApiResponse answer(Context context, CachedCaller caller);
  }

  /** An action that changes something. */
  interface RepeatableAction {
    IdempotentResponse answer(Context context, Caller caller);
  }

  /** The same for a caller that the use case confirms. */
  interface RepeatableRecognisedAction {
    IdempotentResponse answer(Context context, CachedCaller caller);
  }

  /** The same without a caller. */
  public interface OpenAction {
    ApiResponse answer();
  }
}
