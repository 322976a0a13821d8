package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryAuditRecorderTest extends AuditRecorderContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
