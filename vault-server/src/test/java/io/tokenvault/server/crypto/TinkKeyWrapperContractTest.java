package io.tokenvault.server.crypto;

import io.tokenvault.ports.contract.crypto.KeyWrapperContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class TinkKeyWrapperContractTest extends KeyWrapperContract {

  private final MasterKeyset master = MasterKeyset.generate();
  private final MasterKeyset rotated = master.withNewKey().promoted();

  @Override
  protected KeyWrapper wrapper() {
    return new TinkKeyWrapper(master);
  }

  @Override
  protected KeyWrapper rotatedWrapper() {
    return new TinkKeyWrapper(rotated);
  }

  @Override
  protected FieldCipher cipher() {
    return new TinkTenantCrypto(rotated);
  }
}
