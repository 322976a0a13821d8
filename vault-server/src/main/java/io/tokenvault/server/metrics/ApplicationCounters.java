package io.tokenvault.server.metrics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A counter for each of up to {@value #MAX_APPLICATIONS} applications, and one for all others
 * together.
 *
 * <p>The counter of an application that caused no event for an hour is removed, so that short-lived
 * applications do not occupy the places permanently. If the application is counted again later, its
 * counter starts at 0, which Prometheus treats as a restart.
 */
final class ApplicationCounters {

  /** Limit on the values of the {@code application} label. */
  static final int MAX_APPLICATIONS = 200;

  /** Time without an event after which a counter is removed. */
  static final Duration SILENCE = Duration.ofHours(1);

  private final MeterRegistry registry;
  private final String name;
  private final String description;
  private final Counter anonymous;
  private final Counter others;
  private final Cache<UUID, Counter> applications;

  /**
   * Registers the counters for callers without a key and for other applications.
   *
   * @param name the name of the metric
   * @param description the description of the metric
   */
  ApplicationCounters(MeterRegistry registry, String name, String description) {
    this(registry, name, description, Ticker.systemTicker());
  }

  ApplicationCounters(MeterRegistry registry, String name, String description, Ticker ticker) {
    this.registry = registry;
    this.name = name;
    this.description = description;
    this.anonymous = counter("none");
    this.others = counter("others");
    this.applications =
        Caffeine.newBuilder()
            .expireAfterAccess(SILENCE)
            .ticker(ticker)
            .executor(Runnable::run)
            .<UUID, Counter>removalListener((id, counter, cause) -> remove(counter))
            .build();
  }

  private void remove(Counter counter) {
    if (counter != null) {
      registry.remove(counter);
    }
  }

  /**
   * Counts one event.
   *
   * @param application empty: a caller without a key
   */
  void count(Optional<UUID> application) {
    application.map(this::ofApplication).orElse(anonymous).increment();
  }

  private Counter ofApplication(UUID id) {
    Counter known = applications.getIfPresent(id);
    if (known != null) {
      return known;
    }
    // Removes the expired series of this application, if there is one, before a new one is
    // registered under the identical name.
    applications.cleanUp();
    return applications.estimatedSize() < MAX_APPLICATIONS
        ? applications.get(id, fresh -> counter(fresh.toString()))
        : others;
  }

  private Counter counter(String application) {
    return Counter.builder(name)
        .description(description)
        .tag("application", application)
        .register(registry);
  }
}
