package io.tokenvault.adapters.jdbi;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.tokenvault.adapters.jdbi.audit.JdbiRecorder;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections.Pools;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.LogState;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class JdbiMetrics implements DatabaseActivity {

  // Entries that the last chained snapshot did not see have a transaction at or after the
  // snapshot's end, or after the position that the round in progress has reached. The first of them
  // by transaction is approximately the oldest. The second value is the time until the end of the
  // newest monthly partition.
  private static final String LOG_STATE =
      """
      SELECT coalesce(extract(epoch FROM clock_timestamp() - (
               SELECT created_at FROM audit_entry
               WHERE transaction_id >= (
                 SELECT greatest(
                   pg_snapshot_xmax(sealed_snapshot), coalesce(target_transaction, '0'))
                 FROM audit_sealer)
               ORDER BY transaction_id LIMIT 1)), 0) AS lag,
             coalesce(extract(epoch FROM (
               SELECT to_timestamp(max(right(relname, 7)), 'YYYY_MM') + interval '1 month'
               FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
               WHERE inhparent = 'audit_entry'::regclass
                 AND relname ~ '^audit_entry_[0-9]{4}_[0-9]{2}$') - clock_timestamp()), 0) AS ahead
      """;

  /** Counts tokens by tenant, including expired ones that are not deleted yet. */
  private static final String TOKENS =
      "SELECT tenant_id, count(*) AS tokens FROM token GROUP BY tenant_id";

  private final Pools pools;
  private final Database database;
  private final JdbiRecorder recorder;

  JdbiMetrics(Pools pools, Database database, JdbiRecorder recorder) {
    this.pools = pools;
    this.database = database;
    this.recorder = recorder;
  }

  @Override
  public List<PoolUse> pools() {
    return Stream.of(
            use("requests", pools.requests()),
            use("steady", pools.steady()),
            use("sealing", pools.sealing()))
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the use of a pool, or an empty list if the pool has not been used yet. */
  private static List<PoolUse> use(String name, HikariDataSource pool) {
    HikariPoolMXBean now = pool.getHikariPoolMXBean();
    return now == null
        ? List.of()
        : List.of(
            new PoolUse(
                name,
                now.getActiveConnections(),
                now.getIdleConnections(),
                now.getThreadsAwaitingConnection(),
                pool.getMaximumPoolSize()));
  }

  @Override
  public Written written() {
    return recorder.written();
  }

  @Override
  public LogState logState() {
    return database.run(
        handle ->
            handle
                .createQuery(LOG_STATE)
                .map(
                    (row, context) ->
                        new LogState(
                            seconds(row.getDouble("lag")), seconds(row.getDouble("ahead"))))
                .one());
  }

  /** Converts seconds of PostgreSQL, with fractions, to a duration in whole milliseconds. */
  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  @Override
  public Map<TenantId, Long> tokenCounts() {
    return database.longChange(
        handle ->
            handle
                .createQuery(TOKENS)
                .map((row, context) -> Map.entry(StoredRows.tenantId(row), row.getLong("tokens")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
