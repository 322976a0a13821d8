package io.tokenvault.ports.memory;

import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.store.document.DocumentStores;
import java.time.Instant;
import java.time.InstantSource;

/** All stores in memory, under the same laws as the real ones; for tests. */
public final class InMemoryStores implements StoreFixture {

  private final MemoryStorage storage;
  private final DocumentStores stores;

  /**
   * @param clock what the stores take for their own
   */
  public InMemoryStores(InstantSource clock) {
    this.storage = new MemoryStorage(clock);
    this.stores = new DocumentStores(storage, new SmallJsonCodec());
  }

  @Override
  public VaultStores stores() {
    return stores;
  }

  @Override
  public void breakConnection() {
    storage.breakConnection();
  }

  @Override
  public void refuseEntries() {
    storage.refuseEntries();
  }

  @Override
  public void putClockForward(Instant moment) {
    storage.putClockForward(moment);
  }

  /** Does nothing: there is no way to change an entry. */
  @Override
  public void tryToChangeAnEntry() {}

  @Override
  public void close() {
    storage.mend();
  }
}
