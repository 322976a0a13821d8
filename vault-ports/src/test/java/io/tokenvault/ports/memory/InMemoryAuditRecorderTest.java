package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryAuditRecorderTest extends AuditRecorderContract {

  @Override
  public StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
