package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.SealerContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class FakeSealerTest extends SealerContract {

  @Override
  protected FieldCipher sealer() {
    return new FakeSealer();
  }

  @Override
  protected KeyWrapper wrapper() {
    return new FakeKeyWrapper();
  }
}
