package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiRequestLookupTest extends RequestLookupContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
