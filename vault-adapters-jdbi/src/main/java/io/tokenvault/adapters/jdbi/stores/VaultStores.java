package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.Election;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.KeysetRegistry;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestJournal;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
import java.util.List;

/** All stores of the vault, in one database or over several. All threads may share one. */
public interface VaultStores extends AutoCloseable {

  ApplicationStore applications();

  ProxyStore proxies();

  TokenStore tokens();

  TenantStore tenants();

  KeyStore keys();

  SealedFields sealedFields();

  KeysetRegistry keysetRegistry();

  CredentialStore credentials();

  AuditLog auditLog();

  RequestJournal requestJournal();

  RequestLookup lookup();

  AuditRecorder recorder();

  Readiness readiness();

  /** This process as one of the nodes. */
  Election election();

  /**
   * Makes the log's partitions of this month and the next ones. To be called daily; without it
   * nothing fails, but the log grows in one place.
   */
  void ensurePartitions();

  /**
   * Each database by itself, for work that goes over all tenants and need not stop because one
   * database is away: those that answer now.
   */
  List<VaultDatabase> databases();

  /**
   * One of the databases.
   *
   * @param number from 1
   * @throws IllegalArgumentException if there is no database of this number
   * @throws io.tokenvault.domain.failure.RefusedException if it is away
   */
  VaultDatabase database(int number);

  /**
   * The same store, with new tenants in a database of one's choice.
   *
   * @param database from 1
   * @throws IllegalArgumentException if there is no database of this number
   */
  TenantStore tenantsIn(int database);

  /** What each of the databases that were ever there is used for, without asking it. */
  List<DatabaseActivity> activity();

  /** Ends all connections. */
  @Override
  void close();
}
