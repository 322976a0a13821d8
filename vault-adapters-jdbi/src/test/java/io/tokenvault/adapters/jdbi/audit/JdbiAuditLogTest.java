package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.JdbiStoreFixture;
import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiAuditLogTest extends AuditLogContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
