package io.tokenvault.ports.contract;

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

/** All driven store ports of one adapter, over the same data. */
public interface Stores {

  ApplicationStore applications();

  ProxyStore proxies();

  TokenStore tokens();

  TenantStore tenants();

  KeyStore keys();

  CredentialStore credentials();

  SealedFields sealedFields();

  KeysetRegistry keysetRegistry();

  AuditLog auditLog();

  /** For those that keep requests that may be sent again. */
  default RequestJournal requestJournal() {
    throw new UnsupportedOperationException("these stores keep no requests");
  }

  RequestLookup lookup();

  AuditRecorder recorder();

  Readiness readiness();
}
