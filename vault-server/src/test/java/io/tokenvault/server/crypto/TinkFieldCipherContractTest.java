package io.tokenvault.server.crypto;

import io.tokenvault.ports.contract.crypto.FieldCipherContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class TinkFieldCipherContractTest extends FieldCipherContract {

  private final MasterKeyset master = MasterKeyset.generate();

  @Override
  protected FieldCipher cipher() {
    return new TinkTenantCrypto(master);
  }

  @Override
  protected KeyWrapper wrapper() {
    return new TinkKeyWrapper(master);
  }
}
