package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryKeyStoreTest extends KeyStoreContract {

  @Override
  public StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
