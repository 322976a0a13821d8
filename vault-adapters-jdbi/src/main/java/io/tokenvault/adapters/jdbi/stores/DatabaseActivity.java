package io.tokenvault.adapters.jdbi.stores;

import java.util.List;

/**
 * Reports the current use of one database: its connection pools and the audit log's writers.
 *
 * <p>All methods read counters in memory. They run no statement, never wait, and are safe for use
 * by many threads, so a metrics endpoint may call them as often as it likes.
 */
public interface DatabaseActivity {

  /** Returns the use of each connection pool. A pool that has not been used yet is omitted. */
  List<PoolUse> pools();

  /** Returns the totals of the audit log's writers since this node started. */
  Written written();

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
}
