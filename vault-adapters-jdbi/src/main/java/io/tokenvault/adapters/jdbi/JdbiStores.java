package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.application.CredentialSql;
import io.tokenvault.adapters.jdbi.application.JdbiApplications;
import io.tokenvault.adapters.jdbi.audit.JdbiAuditLog;
import io.tokenvault.adapters.jdbi.audit.JdbiLogFeed;
import io.tokenvault.adapters.jdbi.audit.JdbiLogMonths;
import io.tokenvault.adapters.jdbi.audit.JdbiRecorder;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiChainedLog;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiHashChainStore;
import io.tokenvault.adapters.jdbi.audit.chain.JdbiHashChainStore.SkippedEntries;
import io.tokenvault.adapters.jdbi.idempotency.JdbiRequestJournal;
import io.tokenvault.adapters.jdbi.key.JdbiEncryptedFields;
import io.tokenvault.adapters.jdbi.key.JdbiKeysetRegistry;
import io.tokenvault.adapters.jdbi.proxy.JdbiCompiledModules;
import io.tokenvault.adapters.jdbi.proxy.JdbiProxies;
import io.tokenvault.adapters.jdbi.schema.DatabaseContact;
import io.tokenvault.adapters.jdbi.schema.Migrations;
import io.tokenvault.adapters.jdbi.schema.SchemaContract;
import io.tokenvault.adapters.jdbi.snapshot.JdbiRestore;
import io.tokenvault.adapters.jdbi.snapshot.SnapshotWriter;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.Database.SharedTransaction;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections.Pools;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.adapters.jdbi.tenant.JdbiTenants;
import io.tokenvault.adapters.jdbi.token.JdbiTokens;
import io.tokenvault.adapters.jdbi.token.TokenInserts;
import io.tokenvault.ports.VaultStores;
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
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jdbi.v3.core.statement.SqlLogger;

/**
 * All stores of the vault in one PostgreSQL database.
 *
 * <p>A program that records audit entries opens the stores, then adds the keys of the log:
 *
 * <pre>{@code
 * JdbiStores.await(settings, Duration.ofMinutes(1));
 * try (JdbiStores stores = JdbiStores.open(settings).recording(logKeys, random)) {
 *   TokenStore tokens = stores.tokens();
 * }
 * }</pre>
 *
 * <p>Any number of instances, in any number of processes, may use one database. An instance is safe
 * for use by many threads. Unless a method says otherwise, stores throw {@link
 * io.tokenvault.domain.failure.RefusedException} if the database cannot be reached.
 */
public final class JdbiStores implements VaultStores, AutoCloseable {

  /** Number of months after the current one whose partitions exist. */
  private static final int MONTHS_AHEAD = 2;

  private final Pools pools;
  private final Database database;
  private final Database steady;
  private final SharedTransaction shared = new SharedTransaction();
  private final Function<DataSource, Database> databases;
  private final Limits limits;
  private final JdbiElection election;
  private final JdbiRecorder recorder;
  private final TokenInserts inserts;
  private final AuditLog auditLog;
  private final SkippedEntries skipped = new SkippedEntries();

  private JdbiStores(
      Pools pools, Function<DataSource, Database> databases, Limits limits, JdbiElection election) {
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
   * Waits until the database accepts both of its roles, is a recent enough PostgreSQL and accepts
   * writes.
   *
   * @param settings the database
   * @param timeout the maximum time to retry if waiting can help; zero makes one attempt
   * @throws io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException if the database still
   *     cannot be used
   */
  public static void await(DatabaseSettings settings, Duration timeout) {
    await(new DatabaseConnections(settings), timeout);
  }

  private static void await(DatabaseConnections connections, Duration timeout) {
    new DatabaseContact(connections, DatabaseContact.OLDEST_VERSION).await(timeout);
  }

  /**
   * Migrates the schema to this version and opens the connection pools.
   *
   * <p>The returned stores read, and make changes that need no audit entry. Use {@link #recording}
   * to obtain stores for all operations.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if the database cannot be reached
   * @throws IllegalStateException if the schema cannot be migrated to this version
   */
  public static JdbiStores open(DatabaseSettings settings) {
    return open(new DatabaseConnections(settings));
  }

  /**
   * Migrates the schema to this version and opens connection pools over the sources of a host
   * application.
   *
   * <p>The stores keep their connections and configure the sessions: planner settings, time limits
   * and advisory locks. Both sources must connect to a database of the vault alone, and be used for
   * nothing else. A source that is itself a pool needs two connections more than {@code poolSize}.
   * Closing the stores returns all connections and closes neither source.
   *
   * @param requests connects as the role that serves requests
   * @param owner connects as the role that owns the tables
   * @param poolSize the maximum number of connections that serve requests, at least 1
   * @param limits the maximum times to wait; the time to connect is up to the sources
   * @param timeout the maximum time to wait until the database accepts connections
   * @throws io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException if the database cannot be
   *     used
   * @throws IllegalStateException if the schema cannot be migrated to this version
   */
  public static JdbiStores open(
      DataSource requests, DataSource owner, int poolSize, Limits limits, Duration timeout) {
    DatabaseConnections connections = new DatabaseConnections(requests, owner, poolSize, limits);
    await(connections, timeout);
    return open(connections);
  }

  private static JdbiStores open(DatabaseConnections connections) {
    new Migrations(connections).run();
    JdbiElection election = new JdbiElection(connections.bounded(), JdbiElection.SILENCE);
    JdbiStores stores =
        new JdbiStores(connections.openPools(), Database::new, connections.limits(), election);
    try {
      stores.ensurePartitions();
      return stores;
    } catch (RuntimeException failure) {
      stores.close();
      throw failure;
    }
  }

  /**
   * Returns stores for all operations over the connections of these stores. Audit entries get ids
   * and MACs. Closing either instance closes the connections of both.
   *
   * @param keys the keys for the MACs of entries
   * @param randomness the source of the unique part of entry ids, which need not be secret
   */
  public JdbiStores recording(LogKeys keys, RandomGenerator randomness) {
    EntryMarks marks = new EntryMarks(keys, randomness);
    return new JdbiStores(pools, source -> new Database(source, marks), limits, election);
  }

  /**
   * Restores a snapshot that {@link #writeSnapshot} wrote into an empty database, completely or not
   * at all, and migrates the schema to this version.
   *
   * @param settings the database to restore into, which has no content
   * @param keys the keys for the MACs of the entries that record the restore
   * @param randomness the source of the unique part of entry ids
   * @param snapshot the snapshot, read to its end
   * @param terms the conditions for committing the restore
   * @throws io.tokenvault.adapters.jdbi.stores.RestoreTerms.RefusedRestoreException if the database
   *     has content, or the snapshot has a schema that this version does not know
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

  /**
   * Returns the store of applications. It takes part in the transactions of {@link
   * #requestJournal}.
   */
  @Override
  public ApplicationStore applications() {
    return new JdbiApplications(database.sharing(shared));
  }

  /** Returns the store of proxies. It takes part in the transactions of {@link #requestJournal}. */
  @Override
  public ProxyStore proxies() {
    return new JdbiProxies(database.sharing(shared));
  }

  /** Returns the store of tokens. It takes part in the transactions of {@link #requestJournal}. */
  @Override
  public TokenStore tokens() {
    return new JdbiTokens(database.sharing(shared), steady.sharing(shared), inserts);
  }

  @Override
  public CompiledModuleStore compiledModules() {
    return new JdbiCompiledModules(database);
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
  public EncryptedFields encryptedFields() {
    return new JdbiEncryptedFields(database);
  }

  @Override
  public KeysetRegistry keysetRegistry() {
    return new JdbiKeysetRegistry(database);
  }

  @Override
  public CredentialStore credentials() {
    return (tenantId, from, to) ->
        database.run(handle -> CredentialSql.renew(handle, tenantId, from, to));
  }

  @Override
  public AuditLog auditLog() {
    return auditLog;
  }

  @Override
  public RequestJournal requestJournal() {
    return new JdbiRequestJournal(database, shared);
  }

  /**
   * Returns the hash chain for the node that extends it. It has a connection of its own, so that
   * extending the chain does not wait for requests.
   */
  public HashChainStore hashChains() {
    return new JdbiHashChainStore(new Database(pools.sealing()), database.marks(), skipped);
  }

  /** Returns the audit log with its hash chain, for verification. */
  public ChainedLog chainedLog() {
    return new JdbiChainedLog(database);
  }

  /**
   * Returns the look-up that authorizes a request, over the pool for statements of every request.
   */
  @Override
  public RequestLookup lookup() {
    return new JdbiLookup(steady);
  }

  /** Returns the recorder of audit entries, which shares a commit among concurrent calls. */
  @Override
  public AuditRecorder recorder() {
    return recorder;
  }

  /**
   * Returns the readiness of this node. It uses the pool that serves most requests, so that a few
   * long lists do not make a node appear unavailable.
   */
  @Override
  public Readiness readiness() {
    return new SchemaContract(steady);
  }

  /** Returns the audit log for export and streaming. */
  public LogFeed logFeed() {
    return new JdbiLogFeed(database);
  }

  /** Returns the monthly partitions of the audit log, with the rights of their owner. */
  public LogMonths logMonths() {
    return new JdbiLogMonths(databases.apply(pools.owners()));
  }

  /**
   * Writes a consistent snapshot of the database with the rights of the tables' owner, while other
   * transactions continue. Flushes the stream and leaves it open.
   *
   * @param out receives the snapshot in the format of {@link SnapshotWriter}
   * @throws java.io.UncheckedIOException if the stream cannot be written
   */
  public void writeSnapshot(OutputStream out) {
    databases.apply(pools.owners()).useSnapshot(handle -> new SnapshotWriter(handle, out).write());
  }

  /**
   * Returns this instance as a candidate in the leader election. Once used, it holds one connection
   * in addition to those of the pools.
   */
  public LeaderElection election() {
    return election;
  }

  /**
   * Creates the audit log's partitions of this month and the next two. Call it daily; without it
   * nothing fails, but entries collect in one default partition.
   */
  public void ensurePartitions() {
    database.longChange(
        handle -> handle.execute("SELECT ensure_audit_partitions(?)", MONTHS_AHEAD));
  }

  /** Returns the use of the database; two of its methods run statements. */
  public DatabaseActivity activity() {
    return new JdbiMetrics(pools, database, recorder);
  }

  /** Reports every statement that runs to a logger, for counting. */
  public void observe(SqlLogger logger) {
    database.observe(logger);
    steady.observe(logger);
  }

  /** Writes the entries that are still queued, then closes all connections. */
  @Override
  public void close() {
    inserts.close();
    recorder.close();
    election.close();
    pools.close();
  }
}
