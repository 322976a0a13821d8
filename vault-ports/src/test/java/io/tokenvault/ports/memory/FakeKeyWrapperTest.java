package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.KeyWrapperContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class FakeKeyWrapperTest extends KeyWrapperContract {

  @Override
  public KeyWrapper wrapper() {
    return new FakeKeyWrapper(1);
  }

  @Override
  public KeyWrapper rotatedWrapper() {
    return new FakeKeyWrapper(2);
  }

  @Override
  public FieldCipher sealer() {
    return new FakeSealer();
  }
}
