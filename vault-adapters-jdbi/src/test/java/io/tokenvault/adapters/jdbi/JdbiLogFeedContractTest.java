package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.LogFeedContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiLogFeedContractTest extends LogFeedContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiSealedLogFixture.on(DATABASE);
  }
}
