package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.SealStoreContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class InMemorySealStoreTest extends SealStoreContract {

  @Override
  public SealedLogFixture openFixture() {
    return new InMemorySealedLogFixture();
  }
}
