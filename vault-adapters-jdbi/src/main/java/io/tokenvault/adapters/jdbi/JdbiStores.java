package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.application.CredentialSql;
import io.tokenvault.adapters.jdbi.application.JdbiApplications;
import io.tokenvault.adapters.jdbi.audit.JdbiAuditLog;
import io.tokenvault.adapters.jdbi.audit.JdbiLogFeed;
import io.tokenvault.adapters.jdbi.audit.JdbiLogMonths;
import io.tokenvault.adapters.jdbi.audit.JdbiRecorder;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLog;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiHashChainStore;
import io.tokenvault.adapters.jdbi.audit.chain.SkippedEntries;
import io.tokenvault.adapters.jdbi.idempotency.JdbiRequestJournal;
import io.tokenvault.adapters.jdbi.key.JdbiEncryptedFields;
import io.tokenvault.adapters.jdbi.key.JdbiKeysetRegistry;
import io.tokenvault.adapters.jdbi.proxy.JdbiProxies;
import io.tokenvault.adapters.jdbi.schema.DatabaseContact;
import io.tokenvault.adapters.jdbi.schema.Migrations;
import io.tokenvault.adapters.jdbi.schema.SchemaContract;
import io.tokenvault.adapters.jdbi.snapshot.JdbiRestore;
import io.tokenvault.adapters.jdbi.snapshot.SnapshotWriter;
import io.tokenvault.adapters.jdbi.sql.ConnectionPools;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.SharedTransaction;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.LogState;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.adapters.jdbi.tenant.JdbiTenants;
import io.tokenvault.adapters.jdbi.token.JdbiTokens;
import io.tokenvault.adapters.jdbi.token.TokenInserts;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.ChainedLog;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.runtime.LeaderElection;
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
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jdbi.v3.core.statement.SqlLogger;

/**
 * All stores of the vault in one PostgreSQL database. Any number of instances, in any number of
 * processes, may work on the same database; all threads may share one.
 */
public final class JdbiStores implements AutoCloseable {

  private static final int MONTHS_AHEAD = 2;

  private final ConnectionPools pools;
  private final Database database;
  private final Database steady;
  private final SharedTransaction shared = new SharedTransaction();
  private final Function<DataSource, Database> databases;
  private final Limits limits;
  private final JdbiElection election;
  private final JdbiRecorder recorder;
  private final TokenInserts inserts;
  private final AuditLog auditLog;
  private final SkippedEntries passedOver = new SkippedEntries();

  private JdbiStores(
      ConnectionPools pools,
      Function<DataSource, Database> databases,
      Limits limits,
      JdbiElection election) {
    this.pools = pools;
    this.databases = databases;
    this.database = databases.apply(pools.requests());
    this.steady = databases.apply(pools.steady());
    this.limits = limits;
    this.election = election;
    this.recorder = new JdbiRecorder(steady, limits);
    this.inserts = new TokenInserts(steady, shared, limits);
    this.auditLog = new JdbiAuditLog(database);
  }

  /**
   * Returns once both users of the database were let in by a PostgreSQL that is new enough and
   * takes writes.
   *
   * @param patience how long to try again where that may help; zero: not at all
   * @throws io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException if it is in vain
   */
  public static void await(DatabaseSettings settings, Duration patience) {
    new DatabaseContact(settings, DatabaseContact.OLDEST_VERSION).await(patience);
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
    DatabaseConnections connections = new DatabaseConnections(settings);
    JdbiElection election = new JdbiElection(connections.bounded(), JdbiElection.SILENCE);
    JdbiStores stores =
        new JdbiStores(ConnectionPools.of(connections), Database::new, settings.limits(), election);
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
    return new JdbiStores(pools, source -> new Database(source, marks), limits, election);
  }

  /**
   * Puts what {@link #writeSnapshot} wrote into a database without content, all of it or nothing,
   * and brings the schema to this version.
   *
   * @param randomness for what is unique in the ids of entries
   * @throws io.tokenvault.adapters.jdbi.stores.RefusedRestoreException if the database has content,
   *     or the snapshot is of a schema that this version does not know
   * @throws io.tokenvault.domain.failure.RefusedException if the database cannot be reached
   * @throws java.io.UncheckedIOException if the snapshot cannot be read to its end
   */
  public static void restore(
      DatabaseSettings settings,
      LogKeys keys,
      RandomGenerator randomness,
      InputStream snapshot,
      RestoreTerms terms) {
    new JdbiRestore(settings, new EntryMarks(keys, randomness)).run(snapshot, terms);
  }

  public ApplicationStore applications() {
    return new JdbiApplications(database.sharing(shared));
  }

  public ProxyStore proxies() {
    return new JdbiProxies(database.sharing(shared));
  }

  public TokenStore tokens() {
    return new JdbiTokens(database.sharing(shared), steady.sharing(shared), inserts);
  }

  public TenantStore tenants() {
    return new JdbiTenants(database);
  }

  public KeyStore keys() {
    return new JdbiKeys(database);
  }

  public EncryptedFields sealedFields() {
    return new JdbiEncryptedFields(database);
  }

  public KeysetRegistry keysetRegistry() {
    return new JdbiKeysetRegistry(database);
  }

  public CredentialStore credentials() {
    return (tenantId, from, to) ->
        database.run(handle -> CredentialSql.renew(handle, tenantId, from, to));
  }

  public AuditLog auditLog() {
    return auditLog;
  }

  public RequestJournal requestJournal() {
    return new JdbiRequestJournal(database, shared);
  }

  /**
   * Returns the seals, only for the sealer, over a connection of their own, so that sealing does
   * not wait for requests.
   */
  public HashChainStore seals() {
    return new JdbiHashChainStore(new Database(pools.sealing()), passedOver);
  }

  /** Returns the log with its seals. */
  public ChainedLog sealedLog() {
    return new JdbiChainedLog(database);
  }

  public RequestLookup lookup() {
    return new JdbiLookup(steady);
  }

  public AuditRecorder recorder() {
    return recorder;
  }

  /** As ready as what serves most requests: a few long lists do not make a node look lost. */
  public Readiness readiness() {
    return new SchemaContract(steady);
  }

  /** Returns the log as it is exported and streamed. */
  public LogFeed logFeed() {
    return new JdbiLogFeed(database);
  }

  /** Returns the months of the log, with the rights of their owner. */
  public LogMonths logMonths() {
    return new JdbiLogMonths(databases.apply(pools.owners()));
  }

  /**
   * Writes the content of the database as of one moment, while others go on working, with the
   * rights of the tables' owner. Flushes the stream and leaves it open.
   *
   * @throws java.io.UncheckedIOException if the stream takes no more
   */
  public void writeSnapshot(OutputStream out) {
    databases
        .apply(pools.owners())
        .asOfOneMoment(handle -> new SnapshotWriter(handle, out).write());
  }

  /** This instance as one of the nodes; a connection more than the pool's, once it is used. */
  public LeaderElection election() {
    return election;
  }

  /**
   * Creates the log's partitions of this month and the next ones. To be called daily; without it
   * nothing fails, but the log grows in one partition.
   */
  public void ensurePartitions() {
    database.longChange(
        handle -> handle.execute("SELECT ensure_audit_partitions(?)", MONTHS_AHEAD));
  }

  /** Returns what the database is used for at the moment, without asking it. */
  public DatabaseActivity activity() {
    return figures();
  }

  /** Returns the state of the log by one short statement. */
  public LogState logState() {
    return figures().logState();
  }

  /** Counts the tokens of each tenant. Reads as many entries of an index as there are tokens. */
  public Map<TenantId, Long> tokenCounts() {
    return figures().tokens();
  }

  private JdbiFigures figures() {
    return new JdbiFigures(pools, database, recorder);
  }

  /** Tells every statement that is run. */
  public void observe(SqlLogger logger) {
    database.observe(logger);
    steady.observe(logger);
  }

  /** Writes what is still to be recorded, and ends all connections. */
  @Override
  public void close() {
    inserts.close();
    recorder.close();
    election.close();
    pools.close();
  }
}
