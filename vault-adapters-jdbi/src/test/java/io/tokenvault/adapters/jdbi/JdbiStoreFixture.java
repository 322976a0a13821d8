package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
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
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
import java.time.Duration;

/** The stores on a real PostgreSQL, emptied for every test. */
final class JdbiStoreFixture implements StoreFixture, Stores {

  private static final TestDatabase DATABASE = TestDatabase.empty();
  private static final JdbiStores SHARED = TestDatabase.stores(DATABASE.settings());
  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  private JdbiStores current = SHARED;

  private JdbiStoreFixture() {}

  static JdbiStoreFixture open() {
    DATABASE.asOwner(
        "TRUNCATE tenant, tenant_key, credential, application, proxy, token, key_proof, node_keyset,"
            + " container_binding");
    return new JdbiStoreFixture();
  }

  /** Stores of their own, whose connections are cut once they are there. */
  @Override
  public void breakConnection() {
    try (Relay relay = Relay.to(DATABASE.port())) {
      current =
          TestDatabase.stores(DATABASE.settings(DATABASE.urlThrough(relay.port()), IMPATIENT, 1));
      current.tenants().list();
    }
  }

  @Override
  public void refuseEntries() {
    DATABASE.asOwner("REVOKE INSERT ON audit_entry FROM vault_runtime");
  }

  @Override
  public void close() {
    DATABASE.asOwner("GRANT INSERT ON audit_entry TO vault_runtime");
    if (current != SHARED) {
      current.close();
    }
  }

  @Override
  public Stores stores() {
    return this;
  }

  @Override
  public ApplicationStore applications() {
    return current.applications();
  }

  @Override
  public ProxyStore proxies() {
    return current.proxies();
  }

  @Override
  public TokenStore tokens() {
    return current.tokens();
  }

  @Override
  public TenantStore tenants() {
    return current.tenants();
  }

  @Override
  public KeyStore keys() {
    return current.keys();
  }

  @Override
  public CredentialStore credentials() {
    return current.credentials();
  }

  @Override
  public SealedFields sealedFields() {
    return current.sealedFields();
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return current.keysetRegistry();
  }

  @Override
  public AuditLog auditLog() {
    return current.auditLog();
  }

  @Override
  public RequestLookup lookup() {
    return current.lookup();
  }

  @Override
  public AuditRecorder recorder() {
    return current.recorder();
  }

  @Override
  public Readiness readiness() {
    return current.readiness();
  }
}
