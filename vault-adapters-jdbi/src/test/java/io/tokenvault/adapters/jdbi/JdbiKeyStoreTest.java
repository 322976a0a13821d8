package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiKeyStoreTest extends KeyStoreContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
