package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenStoreContract;

final class SqliteTokenStoreTest extends TokenStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
