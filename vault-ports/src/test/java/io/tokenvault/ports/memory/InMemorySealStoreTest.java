package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.SealStoreContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class InMemorySealStoreTest extends SealStoreContract {

  @Override
  protected SealedLogFixture openFixture() {
    return new InMemorySealedLogFixture();
  }
}
