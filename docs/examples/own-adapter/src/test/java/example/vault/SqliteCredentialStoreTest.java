package example.vault;

import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteCredentialStoreTest extends CredentialStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
