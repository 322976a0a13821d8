package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.crypto.FieldCipherContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class FakeFieldCipherTest extends FieldCipherContract {

  @Override
  protected FieldCipher cipher() {
    return new FakeFieldCipher();
  }

  @Override
  protected KeyWrapper wrapper() {
    return new FakeKeyWrapper();
  }
}
