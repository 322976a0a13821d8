package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.LogFeed;
import io.tokenvault.ports.spi.LogMonths;
import io.tokenvault.ports.spi.SealStore;
import io.tokenvault.ports.spi.SealedLog;
import java.io.OutputStream;
import java.util.Map;

/** All stores of the vault in one database, and its log as a whole, which is sealed by itself. */
public interface VaultDatabase extends VaultStores {

  /** Only for the sealer. */
  SealStore seals();

  /** The log with its seals. */
  SealedLog sealedLog();

  /** The log as it is handed on. */
  LogFeed logFeed();

  /** How the log stands; one short statement. */
  LogState logState();

  /** How many tokens each tenant has. Reads as many entries of an index as there are tokens. */
  Map<TenantId, Long> tokenCounts();

  /** The months of the log, with the rights of their owner. */
  LogMonths logMonths();

  /**
   * Writes all that there is, as of one moment; others go on working meanwhile. With the rights of
   * the tables' owner. The stream is flushed and left open.
   *
   * @throws java.io.UncheckedIOException if the stream takes no more
   */
  void writeSnapshot(OutputStream out);
}
