package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.stores.VaultStoresContract;

/** Runs the contract suites of the ports on {@link SqliteStorage}. */
final class SqliteContractsTest extends VaultStoresContract {

  @Override
  public StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
