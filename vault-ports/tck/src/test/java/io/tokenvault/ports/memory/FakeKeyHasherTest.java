package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.crypto.KeyHasherContract;
import io.tokenvault.ports.crypto.KeyHasher;

final class FakeKeyHasherTest extends KeyHasherContract {

  @Override
  protected KeyHasher hasher() {
    return new FakeKeyHasher();
  }
}
