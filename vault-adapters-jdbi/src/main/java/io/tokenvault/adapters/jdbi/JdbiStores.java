package io.tokenvault.adapters.jdbi;

import com.zaxxer.hikari.HikariDataSource;
import io.tokenvault.adapters.jdbi.shards.VaultStores;
import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.Election;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.KeysetRegistry;
import io.tokenvault.ports.spi.LogKeys;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jdbi.v3.core.statement.SqlLogger;

/**
 * All stores of the vault in one PostgreSQL database. Any number of instances, in any number of
 * processes, may work on the same database; all threads may share one.
 */
public final class JdbiStores implements VaultStores {

  private static final int MONTHS_AHEAD = 2;

  private final HikariDataSource pool;
  private final Database database;
  private final JdbiElection election;

  private JdbiStores(HikariDataSource pool, Database database, JdbiElection election) {
    this.pool = pool;
    this.database = database;
    this.election = election;
  }

  /**
   * Brings the schema to this version and opens a pool of connections. These stores can read, and
   * do all that records nothing.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if the database cannot be reached
   * @throws IllegalStateException if its schema cannot be brought to this version
   */
  public static JdbiStores open(DatabaseSettings settings) {
    new Migrations(settings).run();
    Connections connections = new Connections(settings);
    HikariDataSource pool = connections.pool();
    JdbiElection election = new JdbiElection(connections.bounded(), JdbiElection.SILENCE);
    JdbiStores stores = new JdbiStores(pool, new Database(pool), election);
    try {
      stores.ensurePartitions();
      return stores;
    } catch (RuntimeException failure) {
      stores.close();
      throw failure;
    }
  }

  /**
   * The same, over the same connections, for all work: entries of the log get MACs.
   *
   * @param randomness for what is unique in the ids of entries
   */
  public JdbiStores recording(LogKeys keys, RandomGenerator randomness) {
    EntryMarks marks = new EntryMarks(keys, randomness);
    return new JdbiStores(pool, new Database(pool, marks), election);
  }

  @Override
  public ApplicationStore applications() {
    return new JdbiApplications(database);
  }

  @Override
  public ProxyStore proxies() {
    return new JdbiProxies(database);
  }

  @Override
  public TokenStore tokens() {
    return new JdbiTokens(database);
  }

  @Override
  public TenantStore tenants() {
    return new JdbiTenants(database);
  }

  @Override
  public KeyStore keys() {
    return new JdbiKeys(database);
  }

  @Override
  public SealedFields sealedFields() {
    return new JdbiSealedFields(database);
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return new JdbiKeysetRegistry(database);
  }

  @Override
  public CredentialStore credentials() {
    return new JdbiCredentials(database);
  }

  @Override
  public AuditLog auditLog() {
    return new JdbiAuditLog(database);
  }

  @Override
  public RequestLookup lookup() {
    return new JdbiLookup(database);
  }

  @Override
  public AuditRecorder recorder() {
    return new JdbiRecorder(database);
  }

  @Override
  public Readiness readiness() {
    return new JdbiReadiness(database);
  }

  /** This instance as one of the nodes; a connection more than the pool's, once it is used. */
  @Override
  public Election election() {
    return election;
  }

  @Override
  public void ensurePartitions() {
    database.longChange(
        handle -> handle.execute("SELECT ensure_audit_partitions(?)", MONTHS_AHEAD));
  }

  @Override
  public List<VaultStores> databases() {
    return List.of(this);
  }

  @Override
  public TenantStore tenantsIn(int number) {
    if (number != 1) {
      throw new IllegalArgumentException("there is one database");
    }
    return tenants();
  }

  /** Tells every statement that is run. */
  void observe(SqlLogger logger) {
    database.observe(logger);
  }

  @Override
  public void close() {
    election.close();
    pool.close();
  }
}
