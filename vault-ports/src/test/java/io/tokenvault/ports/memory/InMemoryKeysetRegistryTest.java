package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.KeysetRegistryContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryKeysetRegistryTest extends KeysetRegistryContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
