package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenDeduplicationContract;

final class JdbiTokenDeduplicationTest extends TokenDeduplicationContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
