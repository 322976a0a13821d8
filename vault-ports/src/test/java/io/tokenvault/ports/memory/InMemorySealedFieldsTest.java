package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.SealedFieldsContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemorySealedFieldsTest extends SealedFieldsContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
