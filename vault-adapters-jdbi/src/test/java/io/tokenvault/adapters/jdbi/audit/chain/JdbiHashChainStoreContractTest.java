package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.ports.contract.HashChainStoreContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiHashChainStoreContractTest extends HashChainStoreContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiChainedLogFixture.on(DATABASE);
  }
}
