package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.stores.VaultStoresContract;

/** Runs the contract suites of the ports on PostgreSQL. */
final class JdbiContractsTest extends VaultStoresContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
