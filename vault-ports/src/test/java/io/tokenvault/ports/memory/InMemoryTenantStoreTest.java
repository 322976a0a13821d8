package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TenantStoreContract;
import java.time.Clock;

final class InMemoryTenantStoreTest extends TenantStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
