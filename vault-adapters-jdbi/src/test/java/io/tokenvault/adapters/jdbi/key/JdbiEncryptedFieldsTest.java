package io.tokenvault.adapters.jdbi.key;

import io.tokenvault.adapters.jdbi.JdbiStoreFixture;
import io.tokenvault.ports.contract.SealedFieldsContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiEncryptedFieldsTest extends SealedFieldsContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
