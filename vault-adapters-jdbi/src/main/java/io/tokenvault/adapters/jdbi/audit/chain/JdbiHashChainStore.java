package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.audit.StoredEntries;
import io.tokenvault.adapters.jdbi.audit.chain.UnchainedEntries.ChainState;
import io.tokenvault.adapters.jdbi.audit.chain.UnchainedEntries.Row;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.HashChainStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.StatementContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the hash chains of the audit log.
 *
 * <p>Each call adds links in one transaction under an advisory lock that ends with it. Two nodes
 * therefore never extend a chain at the same time, and a node that fails leaves nothing half-done.
 */
public final class JdbiHashChainStore implements HashChainStore {

  /** Acquires the lock without waiting. */
  private static final String TRY_LOCK =
      "SELECT pg_try_advisory_xact_lock(hashtext('token-vault sealer'))";

  /** Selects the last link of each of some tenants. */
  private static final String ENDS =
      """
      SELECT wanted.tenant_id, number, head
      FROM %s AS wanted
      CROSS JOIN LATERAL (
        SELECT number, head FROM audit_seal
        WHERE audit_seal.tenant_id = wanted.tenant_id
        ORDER BY number DESC LIMIT 1) AS seal
      """;

  /** Selects the last links of the tenants in a parameter. */
  private static final String WANTED = ENDS.formatted("unnest(:tenants::uuid[])");

  /** Finds all tenants in a table by jumping from one to the next in an index on the tenant. */
  private static final String SKIP =
      """
      WITH RECURSIVE chained AS (
        (SELECT tenant_id FROM %1$s ORDER BY tenant_id LIMIT 1)
        UNION ALL
        SELECT (SELECT tenant_id FROM %1$s WHERE tenant_id > chained.tenant_id
                ORDER BY tenant_id LIMIT 1)
        FROM chained WHERE chained.tenant_id IS NOT NULL
      )
      """;

  /** Selects the last links of all tenants that have a chain. */
  private static final String ALL = SKIP.formatted("audit_seal") + ENDS.formatted("chained");

  /** Selects the tenants that occur in a table. */
  private static final String TENANTS =
      SKIP + "SELECT tenant_id FROM chained WHERE tenant_id IS NOT NULL";

  // Times of links follow their positions and are never before those of their entries, even if the
  // clock was set back: an export from a time on starts with the first link of that time.
  private static final String ADD =
      """
      INSERT INTO audit_seal (tenant_id, number, times, sequences, head, mac, mac_key, sealed_at)
      VALUES (:tenant, :number, :times::timestamptz[], :sequences::bigint[], :head, :mac, :key,
        greatest(
          clock_timestamp(), :latest::timestamptz,
          (SELECT max(sealed_at) FROM audit_seal WHERE %s)))
      """
          .formatted(StoredEntries.USUAL.formatted("sealed_at"));

  // The interval is longer than any transaction lasts, and than two clocks differ.
  private static final String REBASE =
      """
      UPDATE audit_sealer
      SET cluster = database_cluster(), floor_sequence = :floor,
          restored_since =
            least(restored_since, coalesce(sealed_at, clock_timestamp()) - interval '1 hour'),
          sealed_snapshot = pg_current_snapshot(), sealed_at = clock_timestamp(),
          target_snapshot = NULL, target_at = NULL, target_transaction = NULL,
          target_sequence = NULL
      """;

  /** Result of a round that only started with a new cluster. */
  private static final OptionalInt REBASED = OptionalInt.of(-1);

  private final Database database;
  private final Optional<EntryMarks> marks;
  private final SkippedEntries skipped;

  /**
   * Creates the store.
   *
   * @param database a connection that does not compete with requests
   * @param marks has the newest entries of this process, whose content is not read again
   * @param skipped reports entries that cannot be added
   */
  public JdbiHashChainStore(Database database, Optional<EntryMarks> marks, SkippedEntries skipped) {
    this.database = database;
    this.marks = marks;
    this.skipped = skipped;
  }

  @Override
  public OptionalInt extend(int limit, Linker linker) {
    OptionalInt linked = round(limit, linker);
    // A restored database has a new cluster; the chains continue in the next transaction.
    while (linked.equals(REBASED)) {
      linked = round(limit, linker);
    }
    return linked;
  }

  /**
   * Adds the next links. Starting with a new cluster blocks writers until it commits, so nothing
   * else is done in that transaction.
   */
  private OptionalInt round(int limit, Linker linker) {
    return database.change(
        handle -> {
          // Acquires the lock in a statement of its own, so that later ones see the work of the
          // previous holder.
          if (!handle.createQuery(TRY_LOCK).mapTo(Boolean.class).one()) {
            return OptionalInt.empty();
          }
          ChainState state = ChainState.find(handle);
          if (state.otherCluster()) {
            rebase(handle);
            return REBASED;
          }
          return OptionalInt.of(extend(handle, state, limit, linker));
        });
  }

  /** Adds the links of some entries. If all older entries are done, continues with the new ones. */
  private int extend(Handle handle, ChainState state, int limit, Linker linker) {
    if (state.isCatchingUp()) {
      Database.allowLong(handle);
    }
    int count = extend(new UnchainedEntries(handle, state, marks, limit), handle, linker);
    return count == 0 && state.isCatchingUp()
        ? extend(handle, ChainState.find(handle), limit, linker)
        : count;
  }

  /**
   * Reads the next entries, adds links for those that can be chained, and records the progress.
   * Returns how many entries were read.
   */
  private int extend(UnchainedEntries unchained, Handle handle, Linker linker) {
    List<Row> rows = unchained.next();
    Map<TenantId, ChainEnd> ends = ends(handle, rows);
    Map<Boolean, List<StoredEntry>> entries =
        rows.stream()
            .map(Row::entry)
            .collect(
                Collectors.partitioningBy(
                    entry -> unchained.canLink(entry, ends.get(entry.tenantId()))));
    skipped.report(entries.get(false));
    if (!entries.get(true).isEmpty()) {
      add(handle, linker.link(entries.get(true), ends));
    }
    unchained.noteLinked(rows);
    return rows.size();
  }

  /**
   * Starts with this cluster, in which the recorded snapshots have no meaning, at a time when no
   * transaction writes entries.
   */
  private static void rebase(Handle handle) {
    long floor = handle.createQuery("SELECT hold_audit_writers()").mapTo(Long.class).one();
    handle.createUpdate(REBASE).bind("floor", floor).execute();
  }

  /** Returns the last links of the entries' tenants; a tenant without a link is absent. */
  private static Map<TenantId, ChainEnd> ends(Handle handle, List<Row> rows) {
    List<UUID> tenants =
        rows.stream().map(row -> row.entry().tenantId().value()).distinct().toList();
    if (tenants.isEmpty()) {
      return Map.of();
    }
    return handle
        .createQuery(WANTED.replace("AS wanted", "AS wanted (tenant_id)"))
        .bind("tenants", SqlValues.uuids(tenants))
        .map(JdbiHashChainStore::readEnd)
        .collectToMap(ChainEnd::tenantId, Function.identity());
  }

  /** Reads the last link of a chain. */
  private static ChainEnd readEnd(ResultSet row, StatementContext context) throws SQLException {
    return new ChainEnd(
        StoredRows.tenantId(row), row.getLong("number"), StoredEntries.hash(row, "head"));
  }

  /** Inserts links in one batch. */
  private static void add(Handle handle, List<ChainLink> chainLinks) {
    PreparedBatch batch = handle.prepareBatch(ADD);
    for (ChainLink chainLink : chainLinks) {
      List<EntryPlace> places = chainLink.places();
      batch
          .bind("tenant", chainLink.tenantId().value())
          .bind("number", chainLink.number())
          .bind("times", SqlValues.times(places, EntryPlace::createdAt))
          .bind("sequences", SqlValues.numbers(places, EntryPlace::sequence))
          .bind(
              "latest",
              SqlValues.time(
                  places.stream()
                      .map(EntryPlace::createdAt)
                      .max(Comparator.naturalOrder())
                      .orElseThrow()))
          .bind("head", chainLink.head().bytes())
          .bind("mac", chainLink.mac().bytes())
          .bind("key", chainLink.mac().keyId())
          .add();
    }
    batch.execute();
  }

  @Override
  public Ends ends() {
    return database.change(
        handle -> {
          Instant time = handle.createQuery("SELECT clock_timestamp()").mapTo(Instant.class).one();
          return new Ends(time, handle.createQuery(ALL).map(JdbiHashChainStore::readEnd).list());
        });
  }

  @Override
  public Set<TenantId> tenants() {
    return database.longChange(
        handle ->
            Stream.of("audit_seal", "audit_entry")
                .flatMap(table -> tenants(handle, table).stream())
                .collect(Collectors.toSet()));
  }

  private static List<TenantId> tenants(Handle handle, String table) {
    return handle
        .createQuery(TENANTS.formatted(table))
        .map((row, context) -> StoredRows.tenantId(row))
        .list();
  }

  /**
   * Logs entries that cannot be added to a hash chain, one for each tenant. An instance is safe for
   * use by many threads and lives as long as the stores, so that a tenant is not reported twice.
   */
  public static final class SkippedEntries {

    private static final Logger LOG = LoggerFactory.getLogger(SkippedEntries.class);

    private final Set<TenantId> reported = ConcurrentHashMap.newKeySet();

    /** Logs the first entry of each tenant that was not reported before. */
    void report(List<StoredEntry> entries) {
      for (StoredEntry entry : entries) {
        if (reported.add(entry.tenantId())) {
          LOG.warn(
              "Skipped an entry of tenant {} that cannot be added to the hash chain: sequence {}."
                  + " 'audit verify' lists all of them",
              entry.tenantId(),
              entry.place().sequence());
        }
      }
    }
  }
}
