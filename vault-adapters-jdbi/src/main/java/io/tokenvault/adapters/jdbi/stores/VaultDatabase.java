package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.ports.spi.LogFeed;
import io.tokenvault.ports.spi.LogMonths;
import io.tokenvault.ports.spi.SealStore;
import io.tokenvault.ports.spi.SealedLog;

/** All stores of the vault in one database, and its log as a whole, which is sealed by itself. */
public interface VaultDatabase extends VaultStores {

  /** Only for the sealer. */
  SealStore seals();

  /** The log with its seals. */
  SealedLog sealedLog();

  /** The log as it is handed on. */
  LogFeed logFeed();

  /** The months of the log, with the rights of their owner. */
  LogMonths logMonths();
}
