package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.LogMonthsContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class InMemoryLogMonthsTest extends LogMonthsContract {

  @Override
  protected SealedLogFixture openFixture() {
    return new InMemorySealedLogFixture();
  }
}
