package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
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
import java.util.function.Supplier;

/**
 * What the contract suites ask for.
 *
 * @param current may give others after a while
 */
record StoresOf(Supplier<JdbiStores> current) implements VaultStores {

  @Override
  public ApplicationStore applications() {
    return current.get().applications();
  }

  @Override
  public ProxyStore proxies() {
    return current.get().proxies();
  }

  @Override
  public TokenStore tokens() {
    return current.get().tokens();
  }

  @Override
  public TenantStore tenants() {
    return current.get().tenants();
  }

  @Override
  public KeyStore keys() {
    return current.get().keys();
  }

  @Override
  public CredentialStore credentials() {
    return current.get().credentials();
  }

  @Override
  public EncryptedFields encryptedFields() {
    return current.get().encryptedFields();
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return current.get().keysetRegistry();
  }

  @Override
  public AuditLog auditLog() {
    return current.get().auditLog();
  }

  @Override
  public RequestJournal requestJournal() {
    return current.get().requestJournal();
  }

  @Override
  public RequestLookup lookup() {
    return current.get().lookup();
  }

  @Override
  public AuditRecorder recorder() {
    return current.get().recorder();
  }

  @Override
  public Readiness readiness() {
    return current.get().readiness();
  }
}
