package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiRequestLookupTest extends RequestLookupContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
