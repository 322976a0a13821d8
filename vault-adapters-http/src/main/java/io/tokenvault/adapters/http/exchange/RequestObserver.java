package io.tokenvault.adapters.http.exchange;

import io.tokenvault.adapters.http.exchange.Operations.FinishedRequest;
import io.tokenvault.adapters.http.exchange.Operations.RequestSpan;
import io.tokenvault.adapters.http.exchange.Operations.RequestWatch;
import io.tokenvault.adapters.http.exchange.Operations.WatchedRequest;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.Optional;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Reports every finished request to a {@link RequestWatch}, including rejected ones, under the
 * route that it was dispatched to.
 *
 * <p>The route is an attribute of the request. Metrics use the template of the path, since paths
 * themselves hold ids.
 */
public final class RequestObserver extends Handler.Wrapper {

  /** The path below which requests are forwarded. */
  public static final String PROXY_PATH = "/proxy";

  /** The route of requests that no route has matched. */
  private static final String NO_ROUTE = "none";

  private static final String ROUTE = "io.tokenvault.route";
  private static final String CALLER = "io.tokenvault.caller";

  private final boolean admin;
  private final RequestWatch watch;

  /**
   * Creates the handler.
   *
   * @param admin whether it belongs to the admin listener, which is reported with each request
   * @param watch is notified when a request ends
   */
  public RequestObserver(boolean admin, RequestWatch watch, Handler handler) {
    super(handler);
    this.admin = admin;
    this.watch = watch;
  }

  /**
   * Records the route of a request.
   *
   * @param template the template of the path, such as <code>/tokens/{id}</code>
   */
  public static void setRoute(Request request, String template) {
    request.setAttribute(ROUTE, template);
  }

  /** Records the owner of a request's valid key, or the proxy that it calls without one. */
  public static void setCaller(Request request, Subject caller) {
    request.setAttribute(CALLER, caller);
  }

  /** Returns the recorded caller of a request. */
  public static Optional<Subject> caller(Request request) {
    return request.getAttribute(CALLER) instanceof Subject caller
        ? Optional.of(caller)
        : Optional.empty();
  }

  /** Returns whether the request is an invocation of the proxy. */
  public static boolean isProxy(Request request) {
    String path = request.getHttpURI().getPath();
    return path != null && (path.equals(PROXY_PATH) || path.startsWith(PROXY_PATH + "/"));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    RequestSpan span = watch.begin(request.getHeaders()::get);
    span.traceparent().ifPresent(own -> TraceId.setTraceparent(request, own));
    try {
      return super.handle(request, response, new Observation(request, response, callback, span));
    } finally {
      span.leave();
    }
  }

  /** Reports one request when its exchange completes. */
  private final class Observation extends Callback.Nested {

    private final Request request;
    private final Response response;
    private final RequestSpan span;
    private final long start = System.nanoTime();

    Observation(Request request, Response response, Callback callback, RequestSpan span) {
      super(callback);
      this.request = request;
      this.response = response;
      this.span = span;
    }

    @Override
    public void succeeded() {
      report(response.getStatus());
      super.succeeded();
    }

    @Override
    public void failed(Throwable failure) {
      report(response.isCommitted() ? response.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR_500);
      super.failed(failure);
    }

    private void report(int status) {
      HttpMethod method = HttpMethod.INSENSITIVE_CACHE.get(request.getMethod());
      String route = request.getAttribute(ROUTE) instanceof String template ? template : NO_ROUTE;
      WatchedRequest watched =
          new WatchedRequest(admin, method == null ? "OTHER" : method.asString(), route);
      long nanos = System.nanoTime() - start;
      watch.completed(watched, HttpStatus.getCode(status) == null ? 0 : status, nanos);
      FinishedRequest finished =
          new FinishedRequest(
              watched,
              status,
              nanos,
              Request.getContentBytesRead(request),
              Response.getContentBytesWritten(response),
              TraceId.known(request).map(TraceId::value),
              caller(request));
      watch.finished(finished);
      span.end(finished);
    }
  }
}
