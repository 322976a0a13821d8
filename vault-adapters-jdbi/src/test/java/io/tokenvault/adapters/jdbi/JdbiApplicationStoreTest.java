package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.ApplicationStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiApplicationStoreTest extends ApplicationStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
