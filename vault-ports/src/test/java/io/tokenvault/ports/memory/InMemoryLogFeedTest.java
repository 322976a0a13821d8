package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.LogFeedContract;
import io.tokenvault.ports.contract.SealedLogFixture;

final class InMemoryLogFeedTest extends LogFeedContract {

  @Override
  protected SealedLogFixture openFixture() {
    return new InMemorySealedLogFixture();
  }
}
