package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.ReadinessContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiReadinessTest extends ReadinessContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
