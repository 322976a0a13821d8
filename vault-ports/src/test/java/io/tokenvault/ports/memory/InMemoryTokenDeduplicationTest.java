package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenDeduplicationContract;
import java.time.Clock;

final class InMemoryTokenDeduplicationTest extends TokenDeduplicationContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
