package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TenantStoreContract;

final class JdbiTenantStoreTest extends TenantStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
