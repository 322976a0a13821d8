package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.domain.tenant.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reports the current use of one database: its connection pools, the writers and the state of the
 * audit log, and the number of tokens.
 *
 * <p>{@link #pools} and {@link #written} read counters in memory and never wait, so a metrics
 * endpoint may call them as often as it likes. All methods are safe for use by many threads.
 */
public interface DatabaseActivity {

  /** Returns the use of each connection pool. A pool that has not been used yet is omitted. */
  List<PoolUse> pools();

  /** Returns the totals of the audit log's writers since this node started. */
  Written written();

  /** Queries the state of the audit log by one short statement. */
  LogState logState();

  /** Counts the tokens of each tenant. Reads an index entry for each token, so call it rarely. */
  Map<TenantId, Long> tokenCounts();

  /**
   * The use of one connection pool.
   *
   * @param pool the purpose of its connections: {@code requests}, {@code steady} or {@code sealing}
   * @param active the number of connections in use
   * @param idle the number of open connections that are free
   * @param waiting the number of threads that wait for a connection
   * @param limit the maximum number of connections
   */
  record PoolUse(String pool, int active, int idle, int waiting, int limit) {}

  /**
   * Totals of the audit entries that were written in batches and are durable.
   *
   * @param batches the number of statements, each with one commit
   * @param calls the number of calls whose entries were in those batches
   * @param entries the number of entries
   * @param unwrittenChanges the number of changes that failed because their audit entries could not
   *     be written
   */
  record Written(long batches, long calls, long entries, long unwrittenChanges) {}

  /**
   * The state of a database's audit log.
   *
   * @param chainLag the age of the oldest entry that is not in the hash chain yet; zero if there is
   *     none
   * @param partitionsLeft the time until the end of the last monthly partition that exists; zero or
   *     negative if that has passed
   */
  record LogState(Duration chainLag, Duration partitionsLeft) {
    public LogState {
      Objects.requireNonNull(chainLag, "chainLag");
      Objects.requireNonNull(partitionsLeft, "partitionsLeft");
    }
  }
}
