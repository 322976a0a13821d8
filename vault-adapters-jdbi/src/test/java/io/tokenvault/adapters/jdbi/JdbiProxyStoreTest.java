package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.ProxyStoreContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiProxyStoreTest extends ProxyStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
