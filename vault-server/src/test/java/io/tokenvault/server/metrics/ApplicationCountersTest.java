package io.tokenvault.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ApplicationCountersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final ApplicationCounters counters =
      new ApplicationCounters(registry, "counted", "What is counted", nanos::get);

  private void countNew(int applications) {
    for (int i = 0; i < applications; i++) {
      counters.count(Optional.of(UUID.randomUUID()));
    }
  }

  private double count(String application) {
    Counter found = registry.find("counted").tag("application", application).counter();
    return found == null ? 0 : found.count();
  }

  private int series() {
    return registry.find("counted").counters().size();
  }

  private void advanceClock(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void firstApplicationsHaveOwnCounterAndRestShareOne() {
    UUID first = UUID.randomUUID();
    counters.count(Optional.of(first));
    countNew(ApplicationCounters.MAX_APPLICATIONS + 49);
    counters.count(Optional.of(first));
    counters.count(Optional.empty());

    assertThat(count(first.toString())).isEqualTo(2);
    assertThat(count("others")).isEqualTo(50);
    assertThat(count("none")).isEqualTo(1);
    assertThat(series()).isEqualTo(ApplicationCounters.MAX_APPLICATIONS + 2);
  }

  @Test
  void onlyApplicationIdleForAnHourIsEvicted() {
    UUID busy = UUID.randomUUID();
    counters.count(Optional.of(busy));
    countNew(ApplicationCounters.MAX_APPLICATIONS);
    assertThat(count("others")).isEqualTo(1);
    advanceClock(ApplicationCounters.SILENCE.minusMinutes(1));
    counters.count(Optional.of(busy));
    advanceClock(Duration.ofMinutes(2));

    UUID late = UUID.randomUUID();
    counters.count(Optional.of(late));

    assertThat(count(late.toString())).isEqualTo(1);
    assertThat(count(busy.toString())).isEqualTo(2);
    assertThat(series()).isEqualTo(4);
  }

  @Test
  void returningApplicationIsCountedFromZero() {
    UUID returning = UUID.randomUUID();
    counters.count(Optional.of(returning));
    advanceClock(ApplicationCounters.SILENCE.plusMinutes(1));

    counters.count(Optional.of(returning));
    counters.count(Optional.of(returning));

    assertThat(count(returning.toString())).isEqualTo(2);
    assertThat(series()).isEqualTo(3);
  }

  @Test
  void noConcurrentCountIsLost() {
    UUID one = UUID.randomUUID();
    IntStream.range(0, 10_000).parallel().forEach(i -> counters.count(Optional.of(one)));

    assertThat(count(one.toString())).isEqualTo(10_000);
  }
}
