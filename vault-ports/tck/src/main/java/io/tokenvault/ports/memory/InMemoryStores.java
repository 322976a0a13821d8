package io.tokenvault.ports.memory;

import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.Stores;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.KeyStore;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.Readiness;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.document.DocumentStores;
import java.time.Instant;
import java.time.InstantSource;

/** All stores in memory, under the same laws as the real ones; for tests. */
public final class InMemoryStores implements Stores, StoreFixture {

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
  public ApplicationStore applications() {
    return stores.applications();
  }

  @Override
  public ProxyStore proxies() {
    return stores.proxies();
  }

  @Override
  public TokenStore tokens() {
    return stores.tokens();
  }

  @Override
  public TenantStore tenants() {
    return stores.tenants();
  }

  @Override
  public KeyStore keys() {
    return stores.keys();
  }

  @Override
  public CredentialStore credentials() {
    return stores.credentials();
  }

  @Override
  public EncryptedFields encryptedFields() {
    return stores.encryptedFields();
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return stores.keysetRegistry();
  }

  @Override
  public AuditLog auditLog() {
    return stores.auditLog();
  }

  @Override
  public RequestJournal requestJournal() {
    return stores.requestJournal();
  }

  @Override
  public RequestLookup lookup() {
    return stores.lookup();
  }

  @Override
  public AuditRecorder recorder() {
    return stores.recorder();
  }

  @Override
  public Readiness readiness() {
    return stores.readiness();
  }

  @Override
  public Stores stores() {
    return this;
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
