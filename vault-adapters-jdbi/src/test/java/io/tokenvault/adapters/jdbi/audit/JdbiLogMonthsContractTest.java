package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLogFixture;
import io.tokenvault.ports.contract.LogMonthsContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiLogMonthsContractTest extends LogMonthsContract {

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiChainedLogFixture.on(TestDatabase.migrated());
  }
}
