package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiCredentialStoreTest extends CredentialStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
