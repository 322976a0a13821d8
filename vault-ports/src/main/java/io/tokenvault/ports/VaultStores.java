package io.tokenvault.ports;

import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.CompiledModuleStore;
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
 * All stores of a vault, over the same data. Implementations are thread-safe, and each method
 * returns an object that serves as long as this one.
 */
public interface VaultStores {

  /** Returns the store of applications. */
  ApplicationStore applications();

  /** Returns the store of proxies. */
  ProxyStore proxies();

  /** Returns the store of tokens. */
  TokenStore tokens();

  /** Returns the store of tenants and their egress policies. */
  TenantStore tenants();

  /** Returns the store of tenants' wrapped data keys. */
  KeyStore keys();

  /** Returns the store of key hashes, which replaces hashes of an outdated version. */
  CredentialStore credentials();

  /** Returns all encrypted fields of a tenant, for key rotation. */
  EncryptedFields encryptedFields();

  /** Returns the registry of master keys and of the nodes that use them. */
  KeysetRegistry keysetRegistry();

  /** Returns the audit log for lists, newest entries first. */
  AuditLog auditLog();

  /** Returns the recorder of audit entries. */
  AuditRecorder recorder();

  /** Returns the look-up that authorizes a request. */
  RequestLookup lookup();

  /** Returns the journal of requests with an idempotency key. */
  RequestJournal requestJournal();

  /** Returns the cache of compiled operator modules; by default one that keeps nothing. */
  default CompiledModuleStore compiledModules() {
    return CompiledModuleStore.NONE;
  }

  /** Returns the readiness of the database. */
  Readiness readiness();
}
