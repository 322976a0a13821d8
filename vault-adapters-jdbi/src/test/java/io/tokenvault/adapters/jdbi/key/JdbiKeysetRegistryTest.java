package io.tokenvault.adapters.jdbi.key;

import io.tokenvault.adapters.jdbi.JdbiStoreFixture;
import io.tokenvault.ports.contract.KeysetRegistryContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiKeysetRegistryTest extends KeysetRegistryContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
