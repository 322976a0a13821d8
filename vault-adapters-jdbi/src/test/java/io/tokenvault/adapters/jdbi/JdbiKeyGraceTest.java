package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiKeyGraceTest extends KeyGraceContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
