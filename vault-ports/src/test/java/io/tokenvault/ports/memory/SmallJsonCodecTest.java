package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.JsonCodecContract;
import io.tokenvault.ports.spi.JsonCodec;

final class SmallJsonCodecTest extends JsonCodecContract {

  @Override
  protected JsonCodec codec() {
    return new SmallJsonCodec();
  }
}
