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
import java.time.Instant;
import java.time.InstantSource;

/** All stores in memory, under the same laws as the real ones; for tests. */
public final class InMemoryStores implements Stores, StoreFixture {

  private final Memory memory;
  private final KeysetRegistry keysetRegistry;

  /**
   * @param clock what the stores take for their own
   */
  public InMemoryStores(InstantSource clock) {
    this.memory = new Memory(clock);
    this.keysetRegistry = new InMemoryKeysetRegistry(memory);
  }

  @Override
  public ApplicationStore applications() {
    return new InMemoryApplications(memory);
  }

  @Override
  public ProxyStore proxies() {
    return new InMemoryProxies(memory);
  }

  @Override
  public TokenStore tokens() {
    return new InMemoryTokens(memory);
  }

  @Override
  public TenantStore tenants() {
    return new InMemoryTenants(memory);
  }

  @Override
  public KeyStore keys() {
    return new InMemoryKeys(memory);
  }

  @Override
  public CredentialStore credentials() {
    return new InMemoryCredentials(memory);
  }

  @Override
  public EncryptedFields encryptedFields() {
    return new InMemoryEncryptedFields(memory);
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return keysetRegistry;
  }

  @Override
  public AuditLog auditLog() {
    return new InMemoryLog(memory);
  }

  @Override
  public RequestJournal requestJournal() {
    return new InMemoryRequests(memory);
  }

  @Override
  public RequestLookup lookup() {
    return new InMemoryLookup(memory);
  }

  @Override
  public AuditRecorder recorder() {
    return new InMemoryLog(memory);
  }

  @Override
  public Readiness readiness() {
    return () -> !memory.isBroken();
  }

  @Override
  public Stores stores() {
    return this;
  }

  @Override
  public void breakConnection() {
    memory.breakConnection();
  }

  @Override
  public void refuseEntries() {
    memory.refuseEntries();
  }

  @Override
  public void putClockForward(Instant moment) {
    memory.putClockForward(moment);
  }

  @Override
  public void close() {
    memory.mend();
  }
}
