package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryRequestLookupTest extends RequestLookupContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
