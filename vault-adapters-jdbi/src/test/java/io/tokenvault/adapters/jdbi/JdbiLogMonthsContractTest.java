package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.LogMonthsContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiLogMonthsContractTest extends LogMonthsContract {

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiSealedLogFixture.on(TestDatabase.empty());
  }
}
