package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.SealStoreContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class JdbiSealStoreContractTest extends SealStoreContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  @Override
  protected SealedLogFixture openFixture() {
    return JdbiSealedLogFixture.on(DATABASE);
  }
}
