package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLogFixture;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.contract.audit.HashChainStoreContract;
import io.tokenvault.ports.contract.audit.LogFeedContract;
import io.tokenvault.ports.contract.audit.LogMonthsContract;
import org.junit.jupiter.api.Nested;

/** Runs the contract suites of the hash-chained log on PostgreSQL. */
final class JdbiLogContractsTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated();

  private interface DatabaseSource extends ChainedLogFixture.Source {
    @Override
    default ChainedLogFixture openFixture() {
      return JdbiChainedLogFixture.on(DATABASE);
    }
  }

  @Nested
  final class HashChainStore extends HashChainStoreContract implements DatabaseSource {}

  @Nested
  final class LogFeed extends LogFeedContract implements DatabaseSource {}

  @Nested
  final class LogMonths extends LogMonthsContract {
    @Override
    public ChainedLogFixture openFixture() {
      return JdbiChainedLogFixture.onNewDatabase();
    }
  }
}
