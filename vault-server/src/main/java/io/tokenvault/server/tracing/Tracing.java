package io.tokenvault.server.tracing;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestSpan;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.runtime.Tracer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Distributed tracing of a server.
 *
 * <p>Spans have names of routes and parts, statuses, and the ids of requests and tenants: nothing
 * of paths, queries, headers, bodies or destinations.
 */
public final class Tracing {

  /** The name of the vault's instrumentation. */
  static final String SCOPE = "io.tokenvault";

  private final Optional<OpenTelemetry> telemetry;
  private final Tracer tracer;

  private Tracing(Optional<OpenTelemetry> telemetry) {
    this.telemetry = telemetry;
    this.tracer =
        telemetry
            .<Tracer>map(its -> new OpenTelemetryTracer(its.getTracer(SCOPE)))
            .orElse(Tracer.NONE);
  }

  /**
   * Returns the tracing of this process: that of the OpenTelemetry agent, or the one that the host
   * application has set. Without either, nothing is traced, at no cost.
   */
  public static Tracing ofProcess() {
    return isSet() ? of(GlobalOpenTelemetry.get()) : new Tracing(Optional.empty());
  }

  /**
   * Returns whether a tracing is set. Before version 1.57, the API of a host application does not
   * tell, and asking for the tracing would prevent the application from setting its own later.
   */
  private static boolean isSet() {
    try {
      return GlobalOpenTelemetry.isSet();
    } catch (NoSuchMethodError olderApi) {
      return false;
    }
  }

  static Tracing of(OpenTelemetry telemetry) {
    return new Tracing(Optional.of(telemetry));
  }

  /** Returns the tracer of parts of requests. */
  public Tracer tracer() {
    return tracer;
  }

  /** Returns the observer that begins a span for each request; empty if nothing is traced. */
  public Optional<RequestWatch> requests() {
    return telemetry.map(RequestSpans::new);
  }

  /** Shows parts of requests through OpenTelemetry. Work outside of a request has no span. */
  private static final class OpenTelemetryTracer implements Tracer {

    private static final String ERROR_TYPE = "error.type";

    private final io.opentelemetry.api.trace.Tracer tracer;

    OpenTelemetryTracer(io.opentelemetry.api.trace.Tracer tracer) {
      this.tracer = tracer;
    }

    @Override
    public <T> T trace(String name, Supplier<T> work) {
      if (!Span.current().getSpanContext().isValid()) {
        return work.get();
      }
      Span span = tracer.spanBuilder(name).startSpan();
      Scope scope = span.makeCurrent();
      try {
        return work.get();
      } catch (RuntimeException | Error failed) {
        span.setAttribute(ERROR_TYPE, type(failed));
        span.setStatus(StatusCode.ERROR);
        throw failed;
      } finally {
        scope.close();
        span.end();
      }
    }

    /** Returns the kind of a failure, never its message, which may contain data. */
    private static String type(Throwable failed) {
      return failed instanceof VaultException refused
          ? refused.failure().urn()
          : failed.getClass().getName();
    }
  }

  /** Begins a span for each request, in the trace of the caller if it sent one. */
  private static final class RequestSpans implements RequestWatch {

    private static final int SERVER_ERROR = 500;

    private static final TextMapGetter<UnaryOperator<String>> HEADERS =
        new TextMapGetter<>() {
          @Override
          public Iterable<String> keys(UnaryOperator<String> headers) {
            return List.of();
          }

          @Override
          public String get(UnaryOperator<String> headers, String name) {
            return headers.apply(name);
          }
        };

    private final io.opentelemetry.api.trace.Tracer tracer;
    private final TextMapPropagator propagator;

    RequestSpans(OpenTelemetry telemetry) {
      this.tracer = telemetry.getTracer(Tracing.SCOPE);
      this.propagator = telemetry.getPropagators().getTextMapPropagator();
    }

    /** Does nothing: {@link RequestSpan#end} ends the span. */
    @Override
    public void finished(FinishedRequest request) {}

    /**
     * {@inheritDoc}
     *
     * <p>The span is the thread's current one until {@link RequestSpan#detach}.
     */
    @Override
    public RequestSpan begin(UnaryOperator<String> header) {
      Context current = Context.current();
      // An instrumentation of the web server has extracted the caller's trace already.
      Context parent =
          Span.fromContext(current).getSpanContext().isValid()
              ? current
              : propagator.extract(current, header, HEADERS);
      Span span =
          tracer.spanBuilder("request").setParent(parent).setSpanKind(SpanKind.SERVER).startSpan();
      return new Started(span, ContextStorage.get().attach(parent.with(span)));
    }

    private record Started(Span span, Scope scope) implements RequestSpan {

      @Override
      public Optional<String> traceparent() {
        Map<String, String> headers = new HashMap<>();
        W3CTraceContextPropagator.getInstance()
            .inject(Context.root().with(span), headers, Map::put);
        return Optional.ofNullable(headers.get("traceparent"));
      }

      @Override
      public void detach() {
        scope.close();
      }

      @Override
      public void end(FinishedRequest request) {
        WatchedRequest watched = request.request();
        span.updateName(watched.method() + " " + watched.route());
        span.setAttribute("http.request.method", watched.method());
        span.setAttribute("http.route", watched.route());
        span.setAttribute("http.response.status_code", request.status());
        request.id().ifPresent(id -> span.setAttribute("tokenvault.request_id", id));
        request
            .caller()
            .ifPresent(
                caller -> span.setAttribute("tokenvault.tenant_id", caller.tenantId().toString()));
        if (request.status() >= SERVER_ERROR) {
          span.setStatus(StatusCode.ERROR);
        }
        span.end();
      }
    }
  }
}
