package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenUpdateContract;
import java.time.Clock;

final class InMemoryTokenUpdateTest extends TokenUpdateContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
