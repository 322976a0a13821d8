package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.KeyHasherContract;
import io.tokenvault.ports.spi.KeyHasher;

final class FakeKeyHasherTest extends KeyHasherContract {

  @Override
  protected KeyHasher hasher() {
    return new FakeKeyHasher();
  }
}
