package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.Stores;
import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.KeysetRegistry;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestJournal;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
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
  public SealedFields sealedFields() {
    return new InMemorySealedFields(memory);
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
  public void close() {
    memory.mend();
  }
}
