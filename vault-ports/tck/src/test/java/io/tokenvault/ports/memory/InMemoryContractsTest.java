package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.contract.audit.HashChainStoreContract;
import io.tokenvault.ports.contract.audit.LogFeedContract;
import io.tokenvault.ports.contract.audit.LogMonthsContract;
import io.tokenvault.ports.contract.stores.VaultStoresContract;
import java.time.Clock;
import org.junit.jupiter.api.Nested;

/** The in-memory stores keep the laws of the ports. */
final class InMemoryContractsTest extends VaultStoresContract {

  @Override
  public StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }

  private interface Logs extends ChainedLogFixture.Source {
    @Override
    default ChainedLogFixture openFixture() {
      return new InMemoryChainedLogFixture();
    }
  }

  @Nested
  final class HashChainStore extends HashChainStoreContract implements Logs {}

  @Nested
  final class LogFeed extends LogFeedContract implements Logs {}

  @Nested
  final class LogMonths extends LogMonthsContract implements Logs {}
}
