package io.tokenvault.server.crypto;

import io.tokenvault.ports.contract.crypto.TokenHasherContract;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TokenHasher;

final class TinkTokenHasherContractTest extends TokenHasherContract {

  private final MasterKeyset master = MasterKeyset.generate();

  @Override
  protected TokenHasher hasher() {
    return new TinkTenantCrypto(master);
  }

  @Override
  protected KeyWrapper wrapper() {
    return new TinkKeyWrapper(master);
  }
}
