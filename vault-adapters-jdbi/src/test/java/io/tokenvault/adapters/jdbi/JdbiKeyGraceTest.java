package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiKeyGraceTest extends KeyGraceContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
