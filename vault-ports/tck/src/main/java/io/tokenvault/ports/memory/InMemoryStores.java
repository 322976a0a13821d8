package io.tokenvault.ports.memory;

import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.store.document.DocumentStores;
import java.time.Instant;
import java.time.InstantSource;

/** All stores in memory, for tests. They pass the contract suites. */
public final class InMemoryStores implements StoreFixture {

  private final MemoryStorage storage;
  private final DocumentStores stores;

  /**
   * @param clock the clock of the stores
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

  /** Does nothing, because entries cannot be changed. */
  @Override
  public void tryToChangeAnEntry() {}

  @Override
  public void close() {
    storage.clearFaults();
  }
}
