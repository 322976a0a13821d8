package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.RequestJournalContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryRequestJournalTest extends RequestJournalContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
