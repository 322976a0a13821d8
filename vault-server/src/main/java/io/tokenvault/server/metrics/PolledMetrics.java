package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.stores.LogState;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics that need a query of the database.
 *
 * <p>A background thread runs the queries, and only within five minutes after the last scrape. No
 * scrape waits for the database, and a server without monitoring causes no load.
 */
final class PolledMetrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PolledMetrics.class);

  private static final long PERIOD_MILLIS = 2000;
  private static final Duration LOG_STATE = Duration.ofSeconds(10);
  private static final Duration TOKENS = Duration.ofMinutes(10);
  private static final Duration INTEREST = Duration.ofMinutes(5);

  /** Number of tenants with separate series, the largest first; the others share one. */
  private static final int MAX_TENANTS = 1000;

  private final JdbiStores stores;
  private final MultiGauge tokens;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "soundings");
            thread.setDaemon(true);
            return thread;
          });

  private volatile long lookedAt = System.nanoTime() - INTEREST.toNanos();
  private volatile LogState logState;
  private volatile long soundedAt = System.nanoTime() - LOG_STATE.toNanos();
  private volatile long countedAt = System.nanoTime() - TOKENS.toNanos();

  PolledMetrics(JdbiStores stores, MeterRegistry registry) {
    this.stores = stores;
    this.tokens =
        MultiGauge.builder("vault.tokens")
            .description("Tokens of each tenant, counted every ten minutes")
            .register(registry);
    TimeGauge.builder(
            "vault.audit.seal.lag", () -> millis(LogState::sealLag), TimeUnit.MILLISECONDS)
        .description("Age of the oldest entry that waits for its seal; NaN while it is not known")
        .register(registry);
    Gauge.builder(
            "vault.audit.partitions.left.days",
            () -> millis(LogState::partitionsLeft).doubleValue() / Duration.ofDays(1).toMillis())
        .description("Days until the time for which the log has no partition yet")
        .register(registry);
  }

  /** Starts polling. */
  void start() {
    var unused =
        executor.scheduleWithFixedDelay(
            this::sound, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Records that the metrics are being read, which keeps the polling active. */
  void wanted() {
    lookedAt = System.nanoTime();
  }

  /** Returns a figure in milliseconds; NaN while it is unknown. */
  private Number millis(Function<LogState, Duration> figure) {
    LogState known = logState;
    return known == null ? Double.NaN : (double) figure.apply(known).toMillis();
  }

  /**
   * Polls what is due. A failure is ignored until the next period; an outdated figure is not shown.
   */
  private void sound() {
    try {
      if (isOver(lookedAt, INTEREST)) {
        return;
      }
      if (isOver(soundedAt, LOG_STATE)) {
        // The old state is discarded first: if the query fails, the metric is NaN rather than
        // wrong.
        logState = null;
        logState = stores.logState();
        soundedAt = System.nanoTime();
      }
      if (isOver(countedAt, TOKENS)) {
        tokens.register(rows(stores.tokenCounts()), true);
        countedAt = System.nanoTime();
      }
    } catch (Throwable failed) {
      LOG.debug("A figure could not be found out: {}", failed.getClass().getName());
    }
  }

  private static boolean isOver(long since, Duration limit) {
    return System.nanoTime() - since >= limit.toNanos();
  }

  /** Returns a row for each of the largest tenants and one for the sum of the others. */
  private static List<Row<?>> rows(Map<TenantId, Long> tokenCounts) {
    List<Map.Entry<TenantId, Long>> counts =
        tokenCounts.entrySet().stream()
            .sorted(Map.Entry.<TenantId, Long>comparingByValue().reversed())
            .toList();
    List<Row<?>> rows = new ArrayList<>();
    counts.stream()
        .limit(MAX_TENANTS)
        .forEach(each -> rows.add(row(each.getKey().toString(), each.getValue())));
    if (counts.size() > MAX_TENANTS) {
      rows.add(
          row("others", counts.stream().skip(MAX_TENANTS).mapToLong(Map.Entry::getValue).sum()));
    }
    return rows;
  }

  private static Row<?> row(String tenant, long count) {
    return Row.of(Tags.of("tenant", tenant), count);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
