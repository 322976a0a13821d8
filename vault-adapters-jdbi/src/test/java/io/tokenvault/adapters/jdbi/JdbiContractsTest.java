package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.stores.VaultStoresContract;

/** The stores on PostgreSQL keep the laws of the ports. */
final class JdbiContractsTest extends VaultStoresContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
