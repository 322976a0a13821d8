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
  private final ApplicationCounters counts =
      new ApplicationCounters(registry, "counted", "What is counted", nanos::get);

  private void countNew(int applications) {
    for (int i = 0; i < applications; i++) {
      counts.count(Optional.of(UUID.randomUUID()));
    }
  }

  private double of(String application) {
    Counter found = registry.find("counted").tag("application", application).counter();
    return found == null ? 0 : found.count();
  }

  private int series() {
    return registry.find("counted").counters().size();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void firstApplicationsHaveOwnCounterAndRestShareOne() {
    UUID first = UUID.randomUUID();
    counts.count(Optional.of(first));
    countNew(ApplicationCounters.MAX_APPLICATIONS + 49);
    counts.count(Optional.of(first));
    counts.count(Optional.empty());

    assertThat(of(first.toString())).isEqualTo(2);
    assertThat(of("others")).isEqualTo(50);
    assertThat(of("none")).isEqualTo(1);
    assertThat(series()).isEqualTo(ApplicationCounters.MAX_APPLICATIONS + 2);
  }

  @Test
  void onlyApplicationIdleForAnHourIsEvicted() {
    UUID busy = UUID.randomUUID();
    counts.count(Optional.of(busy));
    countNew(ApplicationCounters.MAX_APPLICATIONS);
    assertThat(of("others")).isEqualTo(1);
    pass(ApplicationCounters.SILENCE.minusMinutes(1));
    counts.count(Optional.of(busy));
    pass(Duration.ofMinutes(2));

    UUID late = UUID.randomUUID();
    counts.count(Optional.of(late));

    assertThat(of(late.toString())).isEqualTo(1);
    assertThat(of(busy.toString())).isEqualTo(2);
    assertThat(series()).isEqualTo(4);
  }

  @Test
  void returningApplicationIsCountedFromZero() {
    UUID back = UUID.randomUUID();
    counts.count(Optional.of(back));
    pass(ApplicationCounters.SILENCE.plusMinutes(1));

    counts.count(Optional.of(back));
    counts.count(Optional.of(back));

    assertThat(of(back.toString())).isEqualTo(2);
    assertThat(series()).isEqualTo(3);
  }

  @Test
  void noConcurrentCountIsLost() {
    UUID one = UUID.randomUUID();
    IntStream.range(0, 10_000).parallel().forEach(i -> counts.count(Optional.of(one)));

    assertThat(of(one.toString())).isEqualTo(10_000);
  }
}
