package io.tokenvault.adapters.http.exchange;

import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

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

  public Operations {
    Objects.requireNonNull(openApi, "openApi");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(watch, "watch");
    Objects.requireNonNull(modules, "modules");
    Objects.requireNonNull(tracer, "tracer");
  }
}
