package io.tokenvault.server.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestSpan;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Begins a span for each request, in the trace of the caller if it sent one. */
final class RequestSpans implements RequestWatch {

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

  private final Tracer tracer;
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
   * <p>The span is the thread's current one until {@link RequestSpan#leave}.
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
      SpanContext context = span.getSpanContext();
      return context.isValid()
          ? Optional.of(
              "00-"
                  + context.getTraceId()
                  + "-"
                  + context.getSpanId()
                  + "-"
                  + context.getTraceFlags().asHex())
          : Optional.empty();
    }

    @Override
    public void leave() {
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
