package example.vault;

import io.tokenvault.ports.contract.ReadinessContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteReadinessTest extends ReadinessContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
