package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenStoreContract;

final class JdbiTokenStoreTest extends TokenStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
