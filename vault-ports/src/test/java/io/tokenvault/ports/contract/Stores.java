package io.tokenvault.ports.contract;

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

/** All driven store ports of one adapter, over the same data. */
public interface Stores extends VaultStores {

  ApplicationStore applications();

  ProxyStore proxies();

  TokenStore tokens();

  TenantStore tenants();

  KeyStore keys();

  CredentialStore credentials();

  EncryptedFields encryptedFields();

  KeysetRegistry keysetRegistry();

  AuditLog auditLog();

  /** For those that keep requests that may be sent again. */
  @Override
  default RequestJournal requestJournal() {
    throw new UnsupportedOperationException("these stores keep no requests");
  }

  RequestLookup lookup();

  AuditRecorder recorder();

  Readiness readiness();
}
