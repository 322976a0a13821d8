package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiKeyStoreTest extends KeyStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
