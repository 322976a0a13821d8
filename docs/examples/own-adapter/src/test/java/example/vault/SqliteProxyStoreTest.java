package example.vault;

import io.tokenvault.ports.contract.ProxyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteProxyStoreTest extends ProxyStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
