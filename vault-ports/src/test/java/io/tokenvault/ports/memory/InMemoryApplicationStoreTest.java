package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.ApplicationStoreContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryApplicationStoreTest extends ApplicationStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
