package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TenantStoreContract;

final class SqliteTenantStoreTest extends TenantStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
