package io.tokenvault.ports.store.document;

import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.runtime.JsonCodec;
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

/**
 * All stores of a vault over one {@link Storage}. All threads may share one instance; use one per
 * process, so that a request that is being executed is recognized without waiting for it.
 *
 * <p>Entries that are recorded by the work of {@link RequestJournal#once} become durable with its
 * transaction; if that fails, they are written before {@code once} throws.
 */
public final class DocumentStores implements VaultStores {

  private final Storage storage;
  private final Transactions transactions;
  private final DocumentRequests requests;

  /**
   * Creates the stores.
   *
   * @param json writes and reads the bodies of documents
   */
  public DocumentStores(Storage storage, JsonCodec json) {
    this.storage = storage;
    this.transactions = new Transactions(storage, new RecordJson(json));
    this.requests = new DocumentRequests(transactions);
  }

  @Override
  public ApplicationStore applications() {
    return new DocumentApplications(transactions);
  }

  @Override
  public ProxyStore proxies() {
    return new DocumentProxies(transactions);
  }

  @Override
  public TokenStore tokens() {
    return new DocumentTokens(transactions);
  }

  @Override
  public TenantStore tenants() {
    return new DocumentTenants(transactions);
  }

  @Override
  public KeyStore keys() {
    return new DocumentKeys(transactions);
  }

  @Override
  public CredentialStore credentials() {
    return new DocumentKeys(transactions);
  }

  @Override
  public EncryptedFields encryptedFields() {
    return new DocumentFields(transactions);
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return new DocumentKeysetRegistry(transactions);
  }

  @Override
  public AuditLog auditLog() {
    return new DocumentLog(transactions);
  }

  @Override
  public AuditRecorder recorder() {
    return new DocumentLog(transactions);
  }

  @Override
  public RequestLookup lookup() {
    return new DocumentLookup(transactions);
  }

  @Override
  public RequestJournal requestJournal() {
    return requests;
  }

  @Override
  public Readiness readiness() {
    return storage::isReady;
  }
}
