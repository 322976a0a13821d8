package example.vault;

import io.tokenvault.ports.contract.KeysetRegistryContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteKeysetRegistryTest extends KeysetRegistryContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
