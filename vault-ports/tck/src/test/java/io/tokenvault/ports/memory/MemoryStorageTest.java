package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StorageContract;
import io.tokenvault.ports.store.document.Storage;
import java.time.InstantSource;

final class MemoryStorageTest extends StorageContract {

  @Override
  protected Storage openStorage() {
    return new MemoryStorage(InstantSource.system());
  }

  @Override
  protected void closeStorage(Storage opened) {}
}
