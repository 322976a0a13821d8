package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.SealerContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class FakeSealerTest extends SealerContract {

  @Override
  public FieldCipher sealer() {
    return new FakeSealer();
  }

  @Override
  public KeyWrapper wrapper() {
    return new FakeKeyWrapper();
  }
}
