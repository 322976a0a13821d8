package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryKeyGraceTest extends KeyGraceContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
