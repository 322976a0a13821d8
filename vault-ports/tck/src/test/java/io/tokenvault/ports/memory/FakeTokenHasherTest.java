package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.crypto.TokenHasherContract;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TokenHasher;

final class FakeTokenHasherTest extends TokenHasherContract {

  @Override
  protected TokenHasher hasher() {
    return new FakeTokenHasher();
  }

  @Override
  protected KeyWrapper wrapper() {
    return new FakeKeyWrapper();
  }
}
