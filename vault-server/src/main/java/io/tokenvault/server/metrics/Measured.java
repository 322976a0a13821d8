package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.TransformRunner.Ending.Broken;
import io.tokenvault.engine.transform.TransformRunner.Ending.Reported;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.store.Preconditions;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decorators that measure the components of a request: the HTTP server, the rate limits, the audit
 * recorder, proxies and transforms. The recorder and transforms are also shown in traces.
 *
 * <p>Each delegates to the component that it measures and never changes its result.
 */
public final class Measured {

  static final String WRITE_FAILURES = "vault.audit.write.failures";
  static final String OF_WRITE_FAILURES =
      "Requests that failed because their audit entries could not be written";

  private Measured() {}

  /** Returns the upper bounds of a histogram's buckets. */
  private static Duration[] millis(long... bounds) {
    return Arrays.stream(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }

  /**
   * Counts requests by listener, method, route and status, and measures how long they take.
   *
   * <p>The route is the pattern of a path, such as {@code /tokens/{id}}, never the path itself: the
   * number of series does not depend on callers.
   */
  public static final class Requests implements RequestWatch {

    private static final Duration[] BOUNDS = millis(5, 25, 100, 250, 1000, 5000, 30_000);

    private final MeterRegistry registry;
    private final ApplicationCounters shareExceeded;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    public Requests(MeterRegistry registry) {
      this.registry = registry;
      this.shareExceeded =
          new ApplicationCounters(
              registry,
              "vault.http.over.share",
              "Requests rejected because too many of the application or tenant were in progress;"
                  + " the application is none without an API key");
    }

    @Override
    public void finished(FinishedRequest finished) {
      timers
          .computeIfAbsent(new Kind(finished.request(), finished.registeredStatus()), this::timer)
          .record(Duration.ofNanos(finished.nanos()));
    }

    @Override
    public void shareExceeded(Optional<UUID> applicationId) {
      shareExceeded.count(applicationId);
    }

    private Timer timer(Kind kind) {
      return Timer.builder("vault.http.requests")
          .description("Completed requests, until the last byte of the response")
          .tag("listener", kind.request().admin() ? "admin" : "main")
          .tag("method", kind.request().method())
          .tag("route", kind.request().route())
          .tag("status", kind.status() == 0 ? "other" : Integer.toString(kind.status()))
          .serviceLevelObjectives(BOUNDS)
          .register(registry);
    }

    /** The labels of a series. */
    private record Kind(WatchedRequest request, int status) {}
  }

  /**
   * Measures how long requests wait for their audit entries, failures to write them, and denied
   * requests.
   */
  public static final class Recorder implements AuditRecorder {

    private static final Duration[] BOUNDS = millis(1, 5, 25, 100, 500, 3000);

    private final AuditRecorder recorder;
    private final Tracer tracer;
    private final ApplicationCounters refusals;
    private final Timer lag;
    private final Counter failures;
    private final Counter dropped;

    public Recorder(AuditRecorder recorder, MeterRegistry registry, Tracer tracer) {
      this.recorder = recorder;
      this.tracer = tracer;
      this.refusals =
          new ApplicationCounters(
              registry,
              "vault.refusals",
              "Denied requests recorded in the audit log, by application");
      this.lag =
          Timer.builder("vault.audit.record")
              .description("Time that requests wait until their audit entries are durable")
              .serviceLevelObjectives(BOUNDS)
              .register(registry);
      this.failures =
          Counter.builder(WRITE_FAILURES)
              .description(OF_WRITE_FAILURES)
              .tag("of", "records")
              .register(registry);
      this.dropped =
          Counter.builder("vault.audit.outcomes.dropped")
              .description(
                  "Outcome entries of invocations that were dropped because the queue"
                      + " was full")
              .register(registry);
    }

    @Override
    public Outcome record(List<AuditEntry> entries, Preconditions versions) {
      long start = System.nanoTime();
      Outcome outcome;
      try {
        // The path of each request stays short if nothing is traced.
        outcome =
            tracer == Tracer.NONE
                ? recorder.record(entries, versions)
                : tracer.trace(Tracer.RECORD, () -> recorder.record(entries, versions));
      } catch (RuntimeException failed) {
        failures.increment();
        throw failed;
      }
      lag.record(Duration.ofNanos(System.nanoTime() - start));
      if (outcome == Outcome.RECORDED) {
        countRefusal(entries);
      }
      return outcome;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Counts the entries that were discarded because the queue was full.
     */
    @Override
    public boolean recordSoon(List<AuditEntry> entries) {
      boolean taken = recorder.recordSoon(entries);
      if (!taken) {
        dropped.increment();
      }
      return taken;
    }

    /** Counts the entries of one request as at most one denial, however many they are. */
    private void countRefusal(List<AuditEntry> entries) {
      for (AuditEntry entry : entries) {
        if (entry.isRefusal()) {
          refusals.count(entry.actor().id());
          return;
        }
      }
    }
  }

  /**
   * Measures how long transforms run and how they end: with a result, an error, at a limit, or
   * killed.
   */
  public static final class Transforms implements TransformRunner {

    private static final Duration[] BOUNDS = millis(5, 25, 100, 500, 2000, 10_000);

    private final TransformRunner runner;
    private final MeterRegistry registry;
    private final Tracer tracer;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();

    public Transforms(TransformRunner runner, MeterRegistry registry, Tracer tracer) {
      this.runner = runner;
      this.registry = registry;
      this.tracer = tracer;
    }

    @Override
    public Ending run(Run run, Host host) {
      long start = System.nanoTime();
      Ending ending = tracer.trace(Tracer.TRANSFORM, () -> runner.run(run, host));
      timers
          .computeIfAbsent(name(ending), this::timer)
          .record(Duration.ofNanos(System.nanoTime() - start));
      return ending;
    }

    private Timer timer(String ending) {
      return Timer.builder("vault.transform.runs")
          .description("Transform runs, including the wait for a worker")
          .tag("ending", ending)
          .serviceLevelObjectives(BOUNDS)
          .register(registry);
    }

    /**
     * Returns the label of an ending. A worker whose run did not finish was killed or died, unless
     * no worker was available.
     */
    private static String name(Ending ending) {
      if (ending instanceof Reported reported) {
        return name(reported.finished().outcome());
      }
      return switch (((Broken) ending).reason()) {
        case TIMED_OUT, OUT_OF_CPU_TIME -> "killed_time";
        case OUT_OF_MEMORY -> "killed_memory";
        case DIED -> "died";
        case BUSY, STOPPED, CANNOT_START -> "no_worker";
        case OFF -> "off";
      };
    }

    /** Returns the label of a finished run: returned, threw, or the kind of its failure. */
    private static String name(Outcome outcome) {
      if (outcome instanceof Outcome.Failed failed) {
        return failed.kind().name().toLowerCase(Locale.ROOT);
      }
      return outcome instanceof Outcome.ErrorThrown ? "threw" : "returned";
    }
  }

  /** Counts requests over the rate limits, whether they are recorded in the audit log or not. */
  public static final class Limits implements RateLimits {

    private final RateLimits limits;
    private final ApplicationCounters counts;

    public Limits(RateLimits limits, MeterRegistry registry) {
      this.limits = limits;
      this.counts =
          new ApplicationCounters(
              registry,
              "vault.rate.limited",
              "Requests over the rate limit, by application; none without an API key");
    }

    @Override
    public Optional<Excess> take(Subject subject) {
      return counted(limits.take(subject));
    }

    @Override
    public Optional<RateAllowance> allowance(Subject subject) {
      return limits.allowance(subject);
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
  public static final class Proxy implements InvokeProxy {

    private final InvokeProxy proxy;
    private final MeterRegistry registry;
    private final Counter successes;
    private final Counter faults;
    private final Map<FailureCause, Counter> failures = new EnumMap<>(FailureCause.class);

    public Proxy(InvokeProxy proxy, MeterRegistry registry) {
      this.proxy = proxy;
      this.registry = registry;
      this.successes = counter("answered");
      this.faults = counter("internal");
      for (FailureCause cause : FailureCause.values()) {
        failures.put(cause, counter(name(cause)));
      }
    }

    private Counter counter(String outcome) {
      return Counter.builder("vault.proxy.invocations")
          .description("Invocations by outcome: answered, or the last part of the problem type")
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
        ProxyResponse response = proxy.invoke(call);
        successes.increment();
        return response;
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
