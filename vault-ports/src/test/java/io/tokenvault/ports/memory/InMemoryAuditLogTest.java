package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryAuditLogTest extends AuditLogContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
