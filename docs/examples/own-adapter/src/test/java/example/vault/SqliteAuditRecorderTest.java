package example.vault;

import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteAuditRecorderTest extends AuditRecorderContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
