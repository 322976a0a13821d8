package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tokenvault.adapters.http.operations.RequestWatch;
import io.tokenvault.adapters.http.operations.RequestWatch.WatchedRequest;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.RateLimits;
import java.nio.file.Path;

/**
 * All figures of one server. What is measured is wrapped; the labels of a figure come from sets
 * that are bounded, whatever callers send.
 */
public final class VaultMetrics implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final RequestMetrics requests = new RequestMetrics(registry);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final LogbackMetrics logged = new LogbackMetrics();
  private final Soundings soundings;

  private VaultMetrics(JdbiStores stores) {
    this.soundings = new Soundings(stores, registry);
    new StoreMetrics(stores, registry).register();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    logged.bindTo(registry);
  }

  /** Begins to measure the stores. */
  public static VaultMetrics of(JdbiStores stores) {
    VaultMetrics metrics = new VaultMetrics(stores);
    metrics.soundings.start();
    return metrics;
  }

  /** Loads what a start needs, for a thread that has nothing better to do meanwhile. */
  public static void preload() {
    PrometheusMeterRegistry nobodys = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(nobodys);
    new RequestMetrics(nobodys).answered(new WatchedRequest(false, "GET", "none"), 0, 1);
    nobodys.close();
  }

  public RequestWatch requests() {
    return requests;
  }

  public AuditRecorder measuredRecorder(AuditRecorder recorder) {
    return new MeasuredRecorder(recorder, registry);
  }

  public RateLimits measuredLimits(RateLimits limits) {
    return new MeasuredLimits(limits, registry);
  }

  public InvokeProxy measuredProxy(InvokeProxy proxy) {
    return new MeasuredProxy(proxy, registry);
  }

  public TransformRunner measuredTransforms(TransformRunner transforms) {
    return new MeasuredTransforms(transforms, registry);
  }

  /**
   * Tells how much room there is for a directory's files.
   *
   * @param what is kept there, in a word
   */
  public void disk(String what, Path directory) {
    Gauge.builder("vault.disk.free", () -> directory.toFile().getUsableSpace())
        .description("Room that is left where the vault keeps files of its own")
        .baseUnit("bytes")
        .tag("of", what)
        .register(registry);
  }

  /** All figures, in the text format of Prometheus. */
  public String scrape() {
    soundings.wanted();
    return registry.scrape();
  }

  @Override
  public void close() {
    soundings.close();
    collections.close();
    logged.close();
    registry.close();
  }
}
