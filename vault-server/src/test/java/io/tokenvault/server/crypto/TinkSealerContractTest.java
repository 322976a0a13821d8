package io.tokenvault.server.crypto;

import io.tokenvault.ports.contract.SealerContract;
import io.tokenvault.ports.spi.KeyWrapper;
import io.tokenvault.ports.spi.Sealer;

final class TinkSealerContractTest extends SealerContract {

  private final MasterKeyset master = MasterKeyset.generate();

  @Override
  protected Sealer sealer() {
    return new TinkSealer(master);
  }

  @Override
  protected KeyWrapper wrapper() {
    return new TinkKeyWrapper(master);
  }
}
