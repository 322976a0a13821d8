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
 * A counter for each of some applications by their ids, and one for all others together. An
 * application of which nothing was counted for an hour makes room, so that those that live for
 * minutes do not take all of it for good; what is counted of it later begins at 0.
 */
final class ApplicationCounters {

  static final int MAX_APPLICATIONS = 200;
  static final Duration SILENCE = Duration.ofHours(1);

  private final MeterRegistry registry;
  private final String name;
  private final String says;
  private final Counter anonymous;
  private final Counter others;
  private final Cache<UUID, Counter> applications;

  ApplicationCounters(MeterRegistry registry, String name, String says) {
    this(registry, name, says, Ticker.systemTicker());
  }

  ApplicationCounters(MeterRegistry registry, String name, String says, Ticker ticker) {
    this.registry = registry;
    this.name = name;
    this.says = says;
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
   * @param application empty: somebody without a key
   */
  void count(Optional<UUID> application) {
    application.map(this::ofApplication).orElse(anonymous).increment();
  }

  private Counter ofApplication(UUID id) {
    Counter known = applications.getIfPresent(id);
    if (known != null) {
      return known;
    }
    // Takes the old series of this application, if there was one, out before it has a new one.
    applications.cleanUp();
    return applications.estimatedSize() < MAX_APPLICATIONS
        ? applications.get(id, fresh -> counter(fresh.toString()))
        : others;
  }

  private Counter counter(String application) {
    return Counter.builder(name)
        .description(says)
        .tag("application", application)
        .register(registry);
  }
}
