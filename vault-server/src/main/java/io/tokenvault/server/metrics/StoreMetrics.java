package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.LogState;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.PoolUse;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.Written;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.Readiness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the database: whether it is ready, connection pools, the batch writer of audit
 * entries, the state of the log, and the tokens of each tenant.
 *
 * <p>Pools and the writer are read from memory on each scrape. The others need queries, which
 * background threads run, so that no scrape waits for the database. Readiness is always queried;
 * the log and the tokens only within five minutes after the last scrape.
 */
final class StoreMetrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreMetrics.class);

  private static final long PERIOD_MILLIS = 2000;
  private static final Duration LOG_STATE = Duration.ofSeconds(10);
  private static final Duration TOKENS = Duration.ofMinutes(10);
  private static final Duration AFTER_SCRAPE = Duration.ofMinutes(5);

  /** Number of tenants with separate series, the largest first; the others share one. */
  private static final int MAX_TENANTS = 1000;

  private static final List<String> POOLS = List.of("requests", "steady", "sealing");

  private final MeterRegistry registry;
  private final Readiness readiness;
  private final MultiGauge tokens;
  // Two threads, so that counting tokens does not delay readiness.
  private final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "metrics");
            thread.setDaemon(true);
            return thread;
          });

  private volatile double ready = Double.NaN;
  private volatile boolean draining;
  private volatile long lastScrape = System.nanoTime() - AFTER_SCRAPE.toNanos();
  private volatile LogState logState;
  private volatile long logStateAt = System.nanoTime() - LOG_STATE.toNanos();
  private volatile long countedAt = System.nanoTime() - TOKENS.toNanos();

  /**
   * Registers the metrics and starts polling.
   *
   * @param stores empty for other stores than PostgreSQL, of which only the readiness is known
   */
  StoreMetrics(Readiness readiness, Optional<JdbiStores> stores, MeterRegistry registry) {
    this.registry = registry;
    this.readiness = readiness;
    Gauge.builder("vault.ready", () -> draining ? 0 : ready)
        .description("1 if the node is ready for requests, as /readyz reports; otherwise 0")
        .register(registry);
    this.tokens =
        MultiGauge.builder("vault.tokens")
            .description("Tokens of each tenant, counted every ten minutes")
            .register(registry);
    stores.ifPresent(this::registerDatabase);
    repeat(this::checkReadiness, 0);
    stores.ifPresent(database -> repeat(() -> poll(database), PERIOD_MILLIS));
  }

  private void repeat(Runnable work, long delayMillis) {
    var unused =
        executor.scheduleWithFixedDelay(work, delayMillis, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void registerDatabase(JdbiStores database) {
    registerActivity(database);
    TimeGauge.builder(
            "vault.audit.seal.lag", () -> millis(LogState::chainLag), TimeUnit.MILLISECONDS)
        .description("Age of the oldest entry outside the hash chain; NaN if unknown")
        .register(registry);
    Gauge.builder(
            "vault.audit.partitions.left.days",
            () -> millis(LogState::partitionsLeft).doubleValue() / Duration.ofDays(1).toMillis())
        .description("Days until the last partition of the log ends")
        .register(registry);
  }

  /** Registers the metrics of all pools and of the batch writer. */
  private void registerActivity(JdbiStores database) {
    for (String pool : POOLS) {
      gauge(database, pool, "active", "Connections in use", PoolUse::active);
      gauge(database, pool, "idle", "Idle connections", PoolUse::idle);
      gauge(database, pool, "waiting", "Threads that wait for a connection", PoolUse::waiting);
      gauge(database, pool, "limit", "Maximum number of connections", PoolUse::limit);
    }
    counter(database, "batches", "Committed batches of audit entries", Written::batches);
    counter(
        database,
        "calls",
        "Requests whose audit entries were committed in batches",
        Written::calls);
    counter(database, "entries", "Audit entries committed in batches", Written::entries);
    FunctionCounter.builder(
            Measured.WRITE_FAILURES, database, all -> all.activity().written().unwrittenChanges())
        .description(Measured.OF_WRITE_FAILURES)
        .tag("of", "changes")
        .register(registry);
  }

  private void gauge(
      JdbiStores database,
      String pool,
      String what,
      String description,
      ToDoubleFunction<PoolUse> value) {
    Gauge.builder("vault.database.connections." + what, () -> sum(database, pool, value))
        .description(description)
        .tag("pool", pool)
        .register(registry);
  }

  /** Adds a value over all pools with a name; 0 if there is none. */
  private static double sum(JdbiStores database, String pool, ToDoubleFunction<PoolUse> value) {
    return database.activity().pools().stream()
        .filter(use -> use.pool().equals(pool))
        .mapToDouble(value)
        .sum();
  }

  private void counter(
      JdbiStores database, String what, String description, ToDoubleFunction<Written> value) {
    FunctionCounter.builder(
            "vault.audit.written." + what,
            database,
            all -> value.applyAsDouble(all.activity().written()))
        .description(description)
        .register(registry);
  }

  /** Reports the node as not ready from now on. */
  void drain() {
    draining = true;
  }

  private void checkReadiness() {
    try {
      ready = readiness.isReady() ? 1 : 0;
    } catch (Throwable failed) {
      // Leaving would end the schedule, and the metric would keep its value.
      ready = 0;
    }
  }

  /** Records that the metrics are being read, which keeps the polling active. */
  void recordScrape() {
    lastScrape = System.nanoTime();
  }

  /** Returns a value in milliseconds; NaN while it is unknown. Reading it keeps polling active. */
  private Number millis(Function<LogState, Duration> value) {
    recordScrape();
    LogState known = logState;
    return known == null ? Double.NaN : (double) value.apply(known).toMillis();
  }

  /**
   * Polls what is due. A failure is ignored until the next period; an outdated value is not shown.
   */
  private void poll(JdbiStores database) {
    try {
      if (isOver(lastScrape, AFTER_SCRAPE)) {
        logState = null;
        return;
      }
      if (isOver(logStateAt, LOG_STATE)) {
        // The old state is discarded first: if the query fails, the metric is NaN rather than
        // wrong.
        logState = null;
        logState = database.activity().logState();
        logStateAt = System.nanoTime();
      }
      if (isOver(countedAt, TOKENS)) {
        tokens.register(rows(database.activity().tokenCounts()), true);
        countedAt = System.nanoTime();
      }
    } catch (Throwable failed) {
      LOG.debug("Could not measure a metric: {}", failed.getClass().getName());
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
