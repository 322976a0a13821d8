package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiCredentialStoreTest extends CredentialStoreContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
