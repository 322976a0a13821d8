package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tokenvault.adapters.http.exchange.Operations.RequestWatch;
import io.tokenvault.adapters.http.exchange.Operations.WatchedRequest;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.RateLimits;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * All metrics of one server, in a separate registry.
 *
 * <p>Measured components are wrapped in decorators. The values of labels are from bounded sets,
 * whatever callers send, and contain no data of tokens.
 *
 * <pre>{@code
 * VaultMetrics metrics = VaultMetrics.of(stores);
 * AuditRecorder recorder = metrics.measuredRecorder(stores.recorder());
 * String text = metrics.scrape();
 * }</pre>
 */
public final class VaultMetrics implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final RequestMetrics requests = new RequestMetrics(registry);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final LogbackMetrics logged = new LogbackMetrics();
  private final PolledMetrics soundings;

  private VaultMetrics(JdbiStores stores) {
    this.soundings = new PolledMetrics(stores, registry);
    new StoreMetrics(stores, registry).register();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    logged.bindTo(registry);
  }

  /**
   * Registers all metrics and starts polling the stores.
   *
   * @param stores must not be closed before the returned object
   */
  public static VaultMetrics of(JdbiStores stores) {
    VaultMetrics metrics = new VaultMetrics(stores);
    metrics.soundings.start();
    return metrics;
  }

  /** Loads the classes that a start needs, on a thread that is otherwise idle. */
  public static void preload() {
    PrometheusMeterRegistry nobodys = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(nobodys);
    new RequestMetrics(nobodys).answered(new WatchedRequest(false, "GET", "none"), 0, 1);
    nobodys.close();
  }

  /** Returns the observer of HTTP requests. */
  public RequestWatch requests() {
    return requests;
  }

  /** Returns a recorder that measures the given one. */
  public AuditRecorder measuredRecorder(AuditRecorder recorder) {
    return new MeasuredRecorder(recorder, registry);
  }

  /** Returns rate limits that count the requests which the given ones reject. */
  public RateLimits measuredLimits(RateLimits limits) {
    return new MeasuredLimits(limits, registry);
  }

  /** Returns a proxy use case that counts how invocations of the given one end. */
  public InvokeProxy measuredProxy(InvokeProxy proxy) {
    return new MeasuredProxy(proxy, registry);
  }

  /** Returns a runner that measures the given one. */
  public TransformRunner measuredTransforms(TransformRunner transforms) {
    return new MeasuredTransforms(transforms, registry);
  }

  /**
   * Registers the free space for files in a directory as {@code vault.disk.free}.
   *
   * @param what the value of the label {@code of}, a word for the kind of files
   */
  public void disk(String what, Path directory) {
    Gauge.builder("vault.disk.free", () -> directory.toFile().getUsableSpace())
        .description("Room that is left where the vault keeps files of its own")
        .baseUnit("bytes")
        .tag("of", what)
        .register(registry);
  }

  /** Returns all metrics in the text format of Prometheus, and keeps the polled metrics active. */
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

  /** Counts requests over the rate limits, whether they are recorded in the audit log or not. */
  private static final class MeasuredLimits implements RateLimits {

    private final RateLimits limits;
    private final ApplicationCounters counts;

    MeasuredLimits(RateLimits limits, MeterRegistry registry) {
      this.limits = limits;
      this.counts =
          new ApplicationCounters(
              registry,
              "vault.rate.limited",
              "Requests over the rate limit, by application; none for callers without a key");
    }

    @Override
    public Optional<Excess> take(Subject subject, KeyHash key) {
      return counted(limits.take(subject, key));
    }

    @Override
    public Optional<Excess> known(KeyHash key) {
      return counted(limits.known(key));
    }

    /** Counts an excess; callers without a key share one series. */
    private Optional<Excess> counted(Optional<Excess> excess) {
      excess
          .map(Excess::subject)
          .ifPresent(
              subject ->
                  counts.count(
                      subject.kind() == Kind.APPLICATION
                          ? Optional.of(subject.id())
                          : Optional.empty()));
      return excess;
    }
  }

  /** Counts how invocations of a proxy end: with a response, or with a type of problem. */
  private static final class MeasuredProxy implements InvokeProxy {

    private final InvokeProxy proxy;
    private final MeterRegistry registry;
    private final Counter answered;
    private final Counter faults;
    private final Map<FailureCause, Counter> failures = new EnumMap<>(FailureCause.class);

    MeasuredProxy(InvokeProxy proxy, MeterRegistry registry) {
      this.proxy = proxy;
      this.registry = registry;
      this.answered = counter("answered");
      this.faults = counter("internal");
      for (FailureCause cause : FailureCause.values()) {
        failures.put(cause, counter(name(cause)));
      }
    }

    private Counter counter(String outcome) {
      return Counter.builder("vault.proxy.invocations")
          .description("Invocations by how they ended: answered, or the end of the problem's type")
          .tag("outcome", outcome)
          .register(registry);
    }

    /** Returns the last part of the problem's URN, the label of a failure. */
    private static String name(FailureCause cause) {
      return cause.urn().substring(cause.urn().lastIndexOf(':') + 1);
    }

    @Override
    public ProxyResponse invoke(ProxyCall call) {
      try {
        ProxyResponse answer = proxy.invoke(call);
        answered.increment();
        return answer;
      } catch (VaultException failed) {
        failures.get(failed.failure()).increment();
        throw failed;
      } catch (Throwable fault) {
        faults.increment();
        throw fault;
      }
    }
  }
}
