package io.tokenvault.server.crypto;

import io.tokenvault.ports.contract.KeyWrapperContract;
import io.tokenvault.ports.spi.KeyWrapper;
import io.tokenvault.ports.spi.Sealer;

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
  protected Sealer sealer() {
    return new TinkSealer(rotated);
  }
}
