package example.vault;

import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteAuditLogTest extends AuditLogContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
