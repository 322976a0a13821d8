package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.ReadinessContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryReadinessTest extends ReadinessContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
