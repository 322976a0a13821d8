package io.tokenvault.ports.contract;

import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;

/** All driven store ports of one adapter, over the same data. */
public interface Stores {

  ApplicationStore applications();

  ProxyStore proxies();

  TokenStore tokens();

  TenantStore tenants();

  AuditLog auditLog();

  RequestLookup lookup();

  AuditRecorder recorder();

  Readiness readiness();
}
