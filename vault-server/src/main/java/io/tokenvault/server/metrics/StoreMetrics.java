package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.PoolUse;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.Written;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of connection pools and of the batch writer of audit entries.
 *
 * <p>They are read from memory on each scrape and cause no query.
 */
final class StoreMetrics {

  private static final List<String> POOLS = List.of("requests", "steady", "sealing");

  private final JdbiStores stores;
  private final MeterRegistry registry;

  StoreMetrics(JdbiStores stores, MeterRegistry registry) {
    this.stores = stores;
    this.registry = registry;
  }

  /** Registers the metrics of all pools and of the batch writer. */
  void register() {
    for (String pool : POOLS) {
      gauge(pool, "active", "Connections in use", PoolUse::active);
      gauge(pool, "idle", "Connections that wait for use", PoolUse::idle);
      gauge(pool, "waiting", "Threads that wait for a connection", PoolUse::waiting);
      gauge(pool, "limit", "How many connections there can be", PoolUse::limit);
    }
    counter("batches", "Batches of entries that were committed", Written::batches);
    counter("calls", "Requests whose entries were in a batch", Written::calls);
    counter("entries", "Entries that were in a batch", Written::entries);
    FunctionCounter.builder(
            MeasuredRecorder.FAILURES, stores, all -> all.activity().written().unwrittenChanges())
        .description(MeasuredRecorder.OF_FAILURES)
        .tag("of", "changes")
        .register(registry);
  }

  private void gauge(String pool, String what, String says, ToDoubleFunction<PoolUse> figure) {
    Gauge.builder("vault.database.connections." + what, () -> sum(pool, figure))
        .description(says)
        .tag("pool", pool)
        .register(registry);
  }

  /** Adds a figure over all pools with a name; 0 if there is none. */
  private double sum(String pool, ToDoubleFunction<PoolUse> figure) {
    return stores.activity().pools().stream()
        .filter(use -> use.pool().equals(pool))
        .mapToDouble(figure)
        .sum();
  }

  private void counter(String what, String says, ToDoubleFunction<Written> figure) {
    FunctionCounter.builder(
            "vault.audit.written." + what,
            stores,
            all -> figure.applyAsDouble(all.activity().written()))
        .description(says)
        .register(registry);
  }
}
