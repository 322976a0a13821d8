package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenStoreContract;
import java.time.Clock;

final class InMemoryTokenStoreTest extends TokenStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
