package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.crypto.KeyWrapperContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class FakeKeyWrapperTest extends KeyWrapperContract {

  @Override
  protected KeyWrapper wrapper() {
    return new FakeKeyWrapper(1);
  }

  @Override
  protected KeyWrapper rotatedWrapper() {
    return new FakeKeyWrapper(2);
  }

  @Override
  protected FieldCipher cipher() {
    return new FakeFieldCipher();
  }
}
