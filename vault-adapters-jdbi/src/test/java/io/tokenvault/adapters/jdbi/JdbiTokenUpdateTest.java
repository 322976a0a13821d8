package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenUpdateContract;

final class JdbiTokenUpdateTest extends TokenUpdateContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
