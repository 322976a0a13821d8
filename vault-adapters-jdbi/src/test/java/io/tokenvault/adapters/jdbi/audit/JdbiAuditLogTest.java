package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.JdbiStoreFixture;
import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiAuditLogTest extends AuditLogContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
