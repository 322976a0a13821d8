package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLogFixture;
import io.tokenvault.ports.contract.LogFeedContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiLogFeedContractTest extends LogFeedContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiChainedLogFixture.on(DATABASE);
  }
}
