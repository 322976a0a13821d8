package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryKeyStoreTest extends KeyStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
