package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.HashChainStoreContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class InMemoryHashChainStoreTest extends HashChainStoreContract {

  @Override
  protected SealedLogFixture openFixture() {
    return new InMemorySealedLogFixture();
  }
}
