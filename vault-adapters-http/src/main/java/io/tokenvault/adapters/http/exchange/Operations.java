package io.tokenvault.adapters.http.exchange;

import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The operator's side of a server: the data that it serves to operators, and the callbacks that it
 * reports to.
 *
 * @param openApi supplies the OpenAPI description of the interface, as JSON in UTF-8
 * @param metrics supplies the metrics in the text format of Prometheus; only the admin listener
 *     serves them
 * @param watch is notified of every finished request
 * @param passTraceContext whether the proxy forwards the caller's trace headers (W3C Trace Context)
 *     to destinations
 * @param modules supplies the state of the operator's modules, if there are any
 * @param tracer shows how long decisions take
 */
public record Operations(
    Supplier<byte[]> openApi,
    Supplier<String> metrics,
    RequestWatch watch,
    boolean passTraceContext,
    Supplier<Optional<ModuleStatus>> modules,
    Tracer tracer) {

  /** Serves an empty description and no metrics, and reports nothing. */
  public static final Operations NONE =
      new Operations(
          () -> "{}".getBytes(StandardCharsets.UTF_8),
          () -> "",
          (request, status, nanos) -> {},
          false,
          Optional::empty,
          Tracer.NONE);

  public Operations {
    Objects.requireNonNull(openApi, "openApi");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(watch, "watch");
    Objects.requireNonNull(modules, "modules");
    Objects.requireNonNull(tracer, "tracer");
  }

  /**
   * Observes requests, for metrics. An instance may be shared by all threads. Its methods run on
   * the thread that ends or rejects the request, so they must neither block nor throw.
   */
  public interface RequestWatch {

    /**
     * Records that a request has ended.
     *
     * @param request the method and route of the request
     * @param status the HTTP status of the response; 0 for a status that is not registered, or if
     *     there was no response
     * @param nanos the time from the head of the request until the last byte of the response was
     *     handed over, in nanoseconds
     */
    void completed(WatchedRequest request, int status, long nanos);

    /**
     * Records that a request was rejected because its share of the concurrent requests was used up:
     * that of its application, of its proxy if it had no API key, or of its tenant.
     *
     * @param applicationId the application that sent the request; empty for a request without an
     *     API key
     */
    default void overShare(Optional<UUID> applicationId) {}

    /** Records that a request has ended, with what identifies it. */
    default void finished(FinishedRequest request) {}

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

    /** No span. */
    RequestSpan NONE = new RequestSpan() {};

    /** Returns the span in the form of the header {@code traceparent}; empty if there is none. */
    default Optional<String> traceparent() {
      return Optional.empty();
    }

    /** Ends the span's part on the thread that began it. */
    default void leave() {}

    /** Ends the span, on any thread. */
    default void end(FinishedRequest request) {}
  }

  /**
   * A finished request, without anything of its path, query, headers and body except its id.
   *
   * @param status the HTTP status of the response
   * @param nanos the duration, as for {@link RequestWatch#completed}
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
      Optional<Subject> caller) {}

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
}
