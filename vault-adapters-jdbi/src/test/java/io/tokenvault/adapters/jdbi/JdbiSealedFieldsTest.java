package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.SealedFieldsContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiSealedFieldsTest extends SealedFieldsContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
