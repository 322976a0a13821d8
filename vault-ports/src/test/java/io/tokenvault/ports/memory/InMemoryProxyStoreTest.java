package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.ProxyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryProxyStoreTest extends ProxyStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
