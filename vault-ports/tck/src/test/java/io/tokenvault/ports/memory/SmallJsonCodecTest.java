package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.runtime.JsonCodecContract;
import io.tokenvault.ports.runtime.JsonCodec;

final class SmallJsonCodecTest extends JsonCodecContract {

  @Override
  protected JsonCodec codec() {
    return new SmallJsonCodec();
  }
}
