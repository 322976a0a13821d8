package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.ports.contract.SealStoreContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiHashChainStoreContractTest extends SealStoreContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiChainedLogFixture.on(DATABASE);
  }
}
