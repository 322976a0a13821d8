package example.vault;

import io.tokenvault.ports.contract.ApplicationStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteApplicationStoreTest extends ApplicationStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
