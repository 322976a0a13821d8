package example.vault;

import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteKeyStoreTest extends KeyStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
