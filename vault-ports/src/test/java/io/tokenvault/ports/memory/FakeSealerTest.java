package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.SealerContract;
import io.tokenvault.ports.spi.KeyWrapper;
import io.tokenvault.ports.spi.Sealer;

final class FakeSealerTest extends SealerContract {

  @Override
  protected Sealer sealer() {
    return new FakeSealer();
  }

  @Override
  protected KeyWrapper wrapper() {
    return new FakeKeyWrapper();
  }
}
