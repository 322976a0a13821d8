package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenQueryContract;
import java.time.Clock;

final class InMemoryTokenQueryTest extends TokenQueryContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
