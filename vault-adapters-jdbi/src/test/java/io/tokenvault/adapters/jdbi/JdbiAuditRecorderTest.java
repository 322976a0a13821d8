package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiAuditRecorderTest extends AuditRecorderContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
