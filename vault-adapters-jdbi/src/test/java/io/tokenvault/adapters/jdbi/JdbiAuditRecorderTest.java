package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiAuditRecorderTest extends AuditRecorderContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
