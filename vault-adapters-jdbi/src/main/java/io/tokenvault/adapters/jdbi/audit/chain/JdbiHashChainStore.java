package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.audit.LogTimestamps;
import io.tokenvault.adapters.jdbi.audit.StoredEntries;
import io.tokenvault.adapters.jdbi.audit.chain.UnchainedEntries.Row;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
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
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Seals in one transaction under an advisory lock, which ends with it: two sealers never meet, and
 * one that dies leaves nothing.
 */
public final class JdbiHashChainStore implements HashChainStore {

  private static final String ALONE =
      "SELECT pg_try_advisory_xact_lock(hashtext('token-vault sealer'))";

  private static final String ENDS =
      """
      SELECT wanted.tenant_id, number, head
      FROM %s AS wanted
      CROSS JOIN LATERAL (
        SELECT number, head FROM audit_seal
        WHERE audit_seal.tenant_id = wanted.tenant_id
        ORDER BY number DESC LIMIT 1) AS seal
      """;

  private static final String WANTED = ENDS.formatted("unnest(:tenants::uuid[])");

  /** Skips from tenant to tenant in the primary key. */
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

  private static final String ALL = SKIP.formatted("audit_seal") + ENDS.formatted("chained");

  private static final String TENANTS =
      SKIP + "SELECT tenant_id FROM chained WHERE tenant_id IS NOT NULL";

  // In the order of the positions, and not before any entry, also where the clock was put back: an
  // export since some time begins with the first seal of that time.
  private static final String ADD =
      """
      INSERT INTO audit_seal (tenant_id, number, times, sequences, head, mac, mac_key, sealed_at)
      VALUES (:tenant, :number, :times::timestamptz[], :sequences::bigint[], :head, :mac, :key,
        greatest(
          clock_timestamp(), :latest::timestamptz,
          (SELECT max(sealed_at) FROM audit_seal WHERE %s)))
      """
          .formatted(LogTimestamps.USUAL.formatted("sealed_at"));

  // Longer than any transaction lasts, and than two clocks are apart.
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

  private static final OptionalInt REBASED = OptionalInt.of(-1);

  private final Database database;
  private final SkippedEntries passedOver;

  public JdbiHashChainStore(Database database, SkippedEntries passedOver) {
    this.database = database;
    this.passedOver = passedOver;
  }

  @Override
  public OptionalInt seal(int limit, Sealing sealing) {
    OptionalInt sealed = round(limit, sealing);
    while (sealed.equals(REBASED)) {
      sealed = round(limit, sealing);
    }
    return sealed;
  }

  private OptionalInt round(int limit, Sealing sealing) {
    return database.change(
        handle -> isAlone(handle) ? round(handle, limit, sealing) : OptionalInt.empty());
  }

  /** In a statement of its own, so that what follows sees what the sealer before has done. */
  private static boolean isAlone(Handle handle) {
    return handle.createQuery(ALONE).mapTo(Boolean.class).one();
  }

  /** Beginning anew keeps writers out until it is committed, so nothing else is done with it. */
  private OptionalInt round(Handle handle, int limit, Sealing sealing) {
    ChainState state = ChainState.find(handle);
    if (state.elsewhere()) {
      rebase(handle);
      return REBASED;
    }
    return OptionalInt.of(seal(handle, state, limit, sealing));
  }

  private int seal(Handle handle, ChainState state, int limit, Sealing sealing) {
    if (state.isCatchingUp()) {
      Database.allowLong(handle);
    }
    int count = seal(new UnchainedEntries(handle, state, limit), handle, sealing);
    return count == 0 && state.isCatchingUp()
        ? seal(handle, ChainState.find(handle), limit, sealing)
        : count;
  }

  private int seal(UnchainedEntries unsealed, Handle handle, Sealing sealing) {
    List<Row> rows = unsealed.next();
    Map<TenantId, ChainEnd> ends = ends(handle, rows);
    Map<Boolean, List<StoredEntry>> entries =
        rows.stream()
            .map(Row::entry)
            .collect(
                Collectors.partitioningBy(
                    entry -> unsealed.canSeal(entry, ends.get(entry.tenantId()))));
    passedOver.tell(entries.get(false));
    if (!entries.get(true).isEmpty()) {
      add(handle, sealing.seal(entries.get(true), ends));
    }
    unsealed.noteSealed(rows);
    return rows.size();
  }

  /** Snapshots mean nothing here: begins anew, at a moment when nobody writes. */
  private static void rebase(Handle handle) {
    long floor = handle.createQuery("SELECT hold_audit_writers()").mapTo(Long.class).one();
    handle.createUpdate(REBASE).bind("floor", floor).execute();
  }

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
        .collect(Collectors.toMap(ChainEnd::tenantId, Function.identity()));
  }

  private static ChainEnd readEnd(ResultSet row, StatementContext context) throws SQLException {
    return new ChainEnd(
        new TenantId(row.getObject("tenant_id", UUID.class)),
        row.getLong("number"),
        StoredEntries.hash(row, "head"));
  }

  private static void add(Handle handle, List<ChainLink> seals) {
    PreparedBatch batch = handle.prepareBatch(ADD);
    for (ChainLink seal : seals) {
      List<EntryPlace> places = seal.places();
      batch
          .bind("tenant", seal.tenantId().value())
          .bind("number", seal.number())
          .bind("times", SqlValues.times(places.stream().map(EntryPlace::createdAt).toList()))
          .bind("sequences", SqlValues.numbers(places.stream().map(EntryPlace::sequence).toList()))
          .bind("latest", SqlValues.time(latest(places)))
          .bind("head", seal.head().bytes())
          .bind("mac", seal.mac().bytes())
          .bind("key", seal.mac().keyId())
          .add();
    }
    batch.execute();
  }

  private static Instant latest(List<EntryPlace> places) {
    return places.stream().map(EntryPlace::createdAt).max(Comparator.naturalOrder()).orElseThrow();
  }

  @Override
  public Ends ends() {
    return database.change(
        handle -> {
          Instant time =
              handle
                  .createQuery("SELECT clock_timestamp() AS time")
                  .map((row, context) -> StoredRow.time(row, "time"))
                  .one();
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
        .map((row, context) -> new TenantId(row.getObject("tenant_id", UUID.class)))
        .list();
  }
}
