package io.tokenvault.server.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.runtime.Tracer;
import java.util.function.Supplier;

/** Shows parts of requests through OpenTelemetry. Work outside of a request has no span. */
final class OpenTelemetryTracer implements Tracer {

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
