package io.tokenvault.adapters.jdbi;

import com.zaxxer.hikari.HikariDataSource;
import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.Election;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.KeysetRegistry;
import io.tokenvault.ports.spi.LogFeed;
import io.tokenvault.ports.spi.LogKeys;
import io.tokenvault.ports.spi.LogMonths;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealStore;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.SealedLog;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jdbi.v3.core.statement.SqlLogger;

/**
 * All stores of the vault in one PostgreSQL database. Any number of instances, in any number of
 * processes, may work on the same database; all threads may share one.
 */
public final class JdbiStores implements AutoCloseable {

  private static final int MONTHS_AHEAD = 2;

  private final HikariDataSource pool;
  private final HikariDataSource sealing;
  private final Database database;
  private final DataSource owners;
  private final JdbiElection election;
  private final Optional<EntryMarks> marks;

  private JdbiStores(
      HikariDataSource pool,
      HikariDataSource sealing,
      DataSource owners,
      JdbiElection election,
      Optional<EntryMarks> marks) {
    this.pool = pool;
    this.sealing = sealing;
    this.owners = owners;
    this.election = election;
    this.marks = marks;
    this.database = database(pool, marks);
  }

  private static Database database(DataSource source, Optional<EntryMarks> marks) {
    return marks.map(known -> new Database(source, known)).orElseGet(() -> new Database(source));
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
    JdbiStores stores =
        new JdbiStores(
            pool, connections.single(), connections.forMigrations(), election, Optional.empty());
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
    return new JdbiStores(pool, sealing, owners, election, Optional.of(marks));
  }

  public ApplicationStore applications() {
    return new JdbiApplications(database);
  }

  public ProxyStore proxies() {
    return new JdbiProxies(database);
  }

  public TokenStore tokens() {
    return new JdbiTokens(database);
  }

  public TenantStore tenants() {
    return new JdbiTenants(database);
  }

  public KeyStore keys() {
    return new JdbiKeys(database);
  }

  public SealedFields sealedFields() {
    return new JdbiSealedFields(database);
  }

  public KeysetRegistry keysetRegistry() {
    return new JdbiKeysetRegistry(database);
  }

  public CredentialStore credentials() {
    return new JdbiCredentials(database);
  }

  public AuditLog auditLog() {
    return new JdbiAuditLog(database);
  }

  /** Over a connection of its own, so that sealing does not wait for requests. */
  public SealStore seals() {
    return new JdbiSealStore(new Database(sealing));
  }

  public SealedLog sealedLog() {
    return new JdbiSealedLog(database);
  }

  public RequestLookup lookup() {
    return new JdbiLookup(database);
  }

  public AuditRecorder recorder() {
    return new JdbiRecorder(database);
  }

  public Readiness readiness() {
    return new JdbiReadiness(database);
  }

  /** The log as it is handed on. */
  public LogFeed logFeed() {
    return new JdbiLogFeed(database);
  }

  /** The months of the log, with the rights of their owner. */
  public LogMonths logMonths() {
    return new JdbiLogMonths(database(owners, marks));
  }

  /** This instance as one of the nodes; a connection more than the pool's, once it is used. */
  public Election election() {
    return election;
  }

  /**
   * Makes the log's partitions of this month and the next ones. To be called daily; without it
   * nothing fails, but the log grows in one place.
   */
  public void ensurePartitions() {
    database.longChange(
        handle -> handle.execute("SELECT ensure_audit_partitions(?)", MONTHS_AHEAD));
  }

  /** Tells every statement that is run. */
  void observe(SqlLogger logger) {
    database.observe(logger);
  }

  /** Ends all connections. */
  @Override
  public void close() {
    election.close();
    sealing.close();
    pool.close();
  }
}
