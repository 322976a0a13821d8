package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tokenvault.adapters.http.exchange.Operations.RequestWatch;
import io.tokenvault.adapters.http.exchange.Operations.WatchedRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts requests by listener, method, route and status, and measures how long they take.
 *
 * <p>The route is the pattern of a path, such as {@code /tokens/{id}}, never the path itself: the
 * number of series does not depend on callers.
 */
final class RequestMetrics implements RequestWatch {

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30)
  };

  private final MeterRegistry registry;
  private final ApplicationCounters overShare;
  private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

  RequestMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.overShare =
        new ApplicationCounters(
            registry,
            "vault.http.over.share",
            "Requests refused because too many of the same application or tenant were in progress,"
                + " by application; none for callers without a key");
  }

  /**
   * {@inheritDoc}
   *
   * @param status 0 for a status that is not registered, or if no response was sent
   */
  @Override
  public void answered(WatchedRequest request, int status, long nanos) {
    timers.computeIfAbsent(new Kind(request, status), this::timer).record(Duration.ofNanos(nanos));
  }

  @Override
  public void overShare(Optional<UUID> applicationId) {
    overShare.count(applicationId);
  }

  private Timer timer(Kind kind) {
    return Timer.builder("vault.http.requests")
        .description("Requests that were answered, until the last byte of the answer")
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
