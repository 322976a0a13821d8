package io.tokenvault.server.crypto;

import io.tokenvault.ports.contract.SealerContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyWrapper;

final class TinkFieldCipherContractTest extends SealerContract {

  private final MasterKeyset master = MasterKeyset.generate();

  @Override
  protected FieldCipher sealer() {
    return new TinkTenantCrypto(master);
  }

  @Override
  protected KeyWrapper wrapper() {
    return new TinkKeyWrapper(master);
  }
}
