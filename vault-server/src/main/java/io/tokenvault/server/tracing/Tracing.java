package io.tokenvault.server.tracing;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Tracer;
import java.util.Optional;

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
    return GlobalOpenTelemetry.isSet()
        ? of(GlobalOpenTelemetry.get())
        : new Tracing(Optional.empty());
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

  /** Returns a recorder that shows the waits of the given one. */
  public AuditRecorder tracedRecorder(AuditRecorder recorder) {
    return telemetry.isPresent() ? new TracedRecorder(recorder, tracer) : recorder;
  }

  /** Returns a runner that shows the runs of the given one. */
  public TransformRunner tracedTransforms(TransformRunner runner) {
    return telemetry.isPresent()
        ? (run, host) -> tracer.trace(Tracer.TRANSFORM, () -> runner.run(run, host))
        : runner;
  }
}
