package io.tokenvault.adapters.http.exchange;

import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
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
      span.detach();
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
      FinishedRequest finished =
          new FinishedRequest(
              watched,
              status,
              System.nanoTime() - start,
              Request.getContentBytesRead(request),
              Response.getContentBytesWritten(response),
              TraceId.known(request).map(TraceId::value),
              caller(request));
      watch.finished(finished);
      span.end(finished);
    }
  }

  /**
   * Observes requests, for metrics, logs and traces. An instance may be shared by all threads. Its
   * methods run on a thread that serves the request, so they must neither block nor throw.
   */
  public interface RequestWatch {

    /** Returns a watch that notifies all the given ones, of which at most one begins spans. */
    static RequestWatch all(List<RequestWatch> watches) {
      return new AllWatches(List.copyOf(watches));
    }

    /** Records that a request has ended. */
    void finished(FinishedRequest request);

    /**
     * Records that a request was rejected because its share of the concurrent requests was used up:
     * that of its application, of its proxy if it had no API key, or of its tenant.
     *
     * @param applicationId the application that sent the request; empty for a request without an
     *     API key
     */
    default void shareExceeded(Optional<UUID> applicationId) {}

    /**
     * Begins the span of a request, on the thread that handles it.
     *
     * @param header returns the value of a request header, or null
     */
    default RequestSpan begin(UnaryOperator<String> header) {
      return RequestSpan.NONE;
    }
  }

  /** The span of a request in a distributed trace. */
  public interface RequestSpan {

    RequestSpan NONE = new RequestSpan() {};

    /** Returns the span in the form of the header {@code traceparent}; empty if there is none. */
    default Optional<String> traceparent() {
      return Optional.empty();
    }

    /** Ends the span's part on the thread that began it. */
    default void detach() {}

    /** Ends the span, on any thread. */
    default void end(FinishedRequest request) {}
  }

  /**
   * A finished request, without anything of its path, query, headers and body except its id.
   *
   * @param status the HTTP status of the response; 0 if there was none
   * @param nanos the time from the head of the request until the last byte of the response was
   *     handed over, in nanoseconds
   * @param requestBytes the bytes of the request's body that were read
   * @param responseBytes the bytes of the response's body that were sent
   * @param id the request's trace id; empty if it was rejected before it had one
   * @param caller the application, or the proxy that was called without an API key; empty if the
   *     request had no valid key
   */
  public record FinishedRequest(
      WatchedRequest request,
      int status,
      long nanos,
      long requestBytes,
      long responseBytes,
      Optional<String> id,
      Optional<Subject> caller) {

    /** Returns the status as a metric label needs it: 0 for one that is not registered. */
    public int registeredStatus() {
      return HttpStatus.getCode(status) == null ? 0 : status;
    }
  }

  /**
   * The properties of a request that are safe to use as metric labels: each has few possible
   * values, and none is copied from the caller's input.
   *
   * @param admin whether the admin listener received the request
   * @param method the HTTP method; {@code OTHER} for one that HTTP does not define
   * @param route the template of the path, such as <code>/tokens/{id}</code>; {@code none} if no
   *     route matched
   */
  public record WatchedRequest(boolean admin, String method, String route) {}

  /** Passes what is observed of requests to several observers. */
  private record AllWatches(List<RequestWatch> watches) implements RequestWatch {

    @Override
    public void shareExceeded(Optional<UUID> applicationId) {
      watches.forEach(each -> each.shareExceeded(applicationId));
    }

    /** Returns the span of the observer that begins one; at most one does. */
    @Override
    public RequestSpan begin(UnaryOperator<String> header) {
      for (RequestWatch watch : watches) {
        RequestSpan span = watch.begin(header);
        if (span != RequestSpan.NONE) {
          return span;
        }
      }
      return RequestSpan.NONE;
    }

    @Override
    public void finished(FinishedRequest request) {
      watches.forEach(each -> each.finished(request));
    }
  }
}
