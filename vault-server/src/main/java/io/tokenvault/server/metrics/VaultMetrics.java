package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.ports.store.Readiness;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * All metrics of one server, in a separate registry and, if there is one, in that of the host.
 *
 * <p>Measured components are wrapped in decorators. The values of labels are from bounded sets,
 * whatever callers send, and contain no data of tokens.
 *
 * <pre>{@code
 * VaultMetrics metrics = new VaultMetrics(readiness, Optional.of(stores), Optional.empty());
 * RateLimits measured = new Measured.Limits(limits, metrics.registry());
 * String text = metrics.scrape();
 * }</pre>
 */
public final class VaultMetrics implements AutoCloseable {

  private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";

  private final PrometheusMeterRegistry scraped =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Optional<MeterRegistry> host;

  private final MeterRegistry registry;

  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final Optional<LogCounters> logged;
  private final StoreMetrics stores;

  /**
   * Registers all metrics and starts polling the stores.
   *
   * @param readiness the readiness of the stores
   * @param stores must not be closed before this object; empty for other stores
   * @param host also receives the metrics of the vault, but not those of the JVM, until this object
   *     is closed
   */
  public VaultMetrics(
      Readiness readiness, Optional<JdbiStores> stores, Optional<MeterRegistry> host) {
    this.host = host;
    this.registry =
        host.<MeterRegistry>map(
                its -> new CompositeMeterRegistry(Clock.SYSTEM, List.of(scraped, its)))
            .orElse(scraped);
    registerBuild(registry);
    new JvmMemoryMetrics().bindTo(scraped);
    new JvmThreadMetrics().bindTo(scraped);
    new ProcessorMetrics().bindTo(scraped);
    new FileDescriptorMetrics().bindTo(scraped);
    new UptimeMetrics().bindTo(scraped);
    collections.bindTo(scraped);
    this.logged = isLogback() ? Optional.of(new LogCounters(scraped)) : Optional.empty();
    this.stores = new StoreMetrics(readiness, stores, registry);
  }

  /** Registers a constant whose labels name the versions, to join with other metrics. */
  private static void registerBuild(MeterRegistry registry) {
    String version = VaultMetrics.class.getPackage().getImplementationVersion();
    Gauge.builder("vault.build.info", () -> 1)
        .description("Versions of the vault and of Java; always 1")
        .tag("version", version == null ? "development" : version)
        .tag("java", Runtime.version().toString())
        .register(registry);
  }

  /** Returns whether Logback receives the log lines; a host application may use another library. */
  private static boolean isLogback() {
    return LoggerFactory.getILoggerFactory().getClass().getName().equals(LOGBACK);
  }

  /** Log lines by level. A class of its own, since Logback may be absent. */
  private static final class LogCounters implements AutoCloseable {

    private final LogbackMetrics logged = new LogbackMetrics();

    LogCounters(MeterRegistry registry) {
      logged.bindTo(registry);
    }

    @Override
    public void close() {
      logged.close();
    }
  }

  /** Loads the classes that a start needs, on a thread that is otherwise idle. */
  public static void preload() {
    PrometheusMeterRegistry temporary = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(temporary);
    WatchedRequest request = new WatchedRequest(false, "GET", "none");
    new Measured.Requests(temporary)
        .finished(new FinishedRequest(request, 0, 1, 0, 0, Optional.empty(), Optional.empty()));
    temporary.close();
  }

  /** Returns the registry for metrics of the vault: the scraped one, and that of the host. */
  public MeterRegistry registry() {
    return registry;
  }

  /**
   * Registers the free space for files in a directory as {@code vault.disk.free}.
   *
   * @param what the value of the label {@code of}, a word for the kind of files
   */
  public void disk(String what, Path directory) {
    Gauge.builder("vault.disk.free", () -> directory.toFile().getUsableSpace())
        .description("Free space on the file system of a directory that the vault writes to")
        .baseUnit("bytes")
        .tag("of", what)
        .register(registry);
  }

  /** Reports the node as not ready from now on. */
  public void drain() {
    stores.drain();
  }

  /** Returns all metrics in the text format of Prometheus, and keeps the polled metrics active. */
  public String scrape() {
    stores.recordScrape();
    return scraped.scrape();
  }

  /** Stops polling and removes the metrics from the registry of the host. */
  @Override
  public void close() {
    stores.close();
    collections.close();
    logged.ifPresent(LogCounters::close);
    if (host.isPresent()) {
      for (Meter meter : registry.getMeters()) {
        var unused = host.get().removeByPreFilterId(meter.getId());
      }
      registry.close();
    }
    scraped.close();
  }
}
