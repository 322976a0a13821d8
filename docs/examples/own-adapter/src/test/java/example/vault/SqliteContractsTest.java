package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.stores.VaultStoresContract;

/** The stores over the storage of this project keep the laws of the ports. */
final class SqliteContractsTest extends VaultStoresContract {

  @Override
  public StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
