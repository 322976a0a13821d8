package io.tokenvault.adapters.jdbi.stores;

import java.util.List;

/** What one database is used for at the moment. Asking costs nothing and never waits. */
public interface DatabaseActivity {

  List<PoolUse> pools();

  /** What the log's writers have done since the start. */
  Written written();

  /**
   * The use of connections of one kind.
   *
   * @param pool what they are for
   * @param waiting how many threads wait for one of them
   * @param limit how many there can be
   */
  record PoolUse(String pool, int active, int idle, int waiting, int limit) {}

  /**
   * Batches of the log that are durable.
   *
   * @param calls whose entries were in them
   * @param unwrittenChanges that failed since the entries that go with them could not be written
   */
  record Written(long batches, long calls, long entries, long unwrittenChanges) {}
}
