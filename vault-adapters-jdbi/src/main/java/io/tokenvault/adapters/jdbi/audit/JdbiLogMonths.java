package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogMonths;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.Query;

/**
 * The monthly partitions of the audit log. Uses the rights of their owner, since the runtime role
 * cannot drop a partition.
 */
public final class JdbiLogMonths implements LogMonths {

  /** Format of a partition's name. */
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'audit_entry_'yyyy_MM");

  /** Selects the names of the monthly partitions, oldest first, without the default partition. */
  private static final String PARTITIONS =
      """
      SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'audit_entry'::regclass AND relname ~ '^audit_entry_[0-9]{4}_[0-9]{2}$'
      ORDER BY relname
      """;

  /** Counts the entries of a month in the hash chain, for each tenant. */
  private static final String SEALED =
      """
      SELECT tenant_id, sum(cardinality(times)) AS entries FROM audit_seal
      WHERE times[1] >= :from AND times[1] < :until GROUP BY tenant_id
      """;

  /** Selects whether all streams have passed the hash chain links of a month. */
  private static final String STREAMED =
      """
      SELECT NOT EXISTS (
        SELECT FROM audit_stream AS stream JOIN audit_seal AS seal
          ON seal.position > stream.position
            OR (seal.position = stream.position AND stream.place < cardinality(times))
        WHERE times[1] >= :from AND times[1] < :until)
      """;

  // Statements that need the log queue behind a waiting lock. They wait at most this long, and then
  // proceed.
  private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '300ms'";

  /** Maximum number of times that a statement waits for its lock. */
  private static final int ATTEMPTS = 20;

  private final Database database;

  /**
   * Creates the store.
   *
   * @param database connections of the owner, without a limit on statements
   */
  public JdbiLogMonths(Database database) {
    this.database = database;
  }

  @Override
  public YearMonth current() {
    return database.run(JdbiLogMonths::current);
  }

  /** Returns the current month in UTC, by the database's clock. */
  private static YearMonth current(Handle handle) {
    return YearMonth.from(
        handle
            .select("SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date")
            .mapTo(LocalDate.class)
            .one());
  }

  @Override
  public List<YearMonth> months() {
    return database.run(JdbiLogMonths::months);
  }

  private static List<YearMonth> months(Handle handle) {
    return partitions(handle).stream().map(name -> YearMonth.parse(name, NAME)).toList();
  }

  /** Returns the names of the monthly partitions, oldest first. */
  public static List<String> partitions(Handle handle) {
    return handle.select(PARTITIONS).mapTo(String.class).list();
  }

  @Override
  public State state(YearMonth month) {
    return database.run(handle -> state(handle, month, entries(handle, month)));
  }

  /**
   * Returns the state of a month: whether the hash chain contains as many of each tenant's entries
   * as the partition, and whether all streams have passed them.
   */
  private static State state(Handle handle, YearMonth month, Map<UUID, Long> entries) {
    boolean streamed = in(month, handle.createQuery(STREAMED)).mapTo(Boolean.class).one();
    return new State(
        month,
        total(entries),
        entries.equals(counts(in(month, handle.createQuery(SEALED)))),
        streamed);
  }

  /** Counts the entries of each tenant in a partition. */
  private static Map<UUID, Long> entries(Handle handle, YearMonth month) {
    return counts(
        handle.createQuery(
            "SELECT tenant_id, count(*) AS entries FROM %s GROUP BY tenant_id"
                .formatted(NAME.format(month))));
  }

  /** Reads a query for the number of entries of each tenant. */
  private static Map<UUID, Long> counts(Query query) {
    return query
        .map(
            (row, context) ->
                Map.entry(row.getObject("tenant_id", UUID.class), row.getLong("entries")))
        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
  }

  /** Binds the limits of a month in UTC. */
  private static Query in(YearMonth month, Query query) {
    return query.bind("from", start(month)).bind("until", start(month.plusMonths(1)));
  }

  /** Returns the start of a month in UTC. */
  private static OffsetDateTime start(YearMonth month) {
    return month.atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC);
  }

  private static long total(Map<UUID, Long> entries) {
    return entries.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public long drop(YearMonth month, Drop drop, Function<TenantId, AuditEntry> entry) {
    return database.change(
        handle -> {
          // The order matters: writes to the month are blocked before its entries are counted, and
          // the entries that record the deletion commit together with it.
          requirePast(handle, month);
          handle.execute(LOCK_TIMEOUT);
          // Blocks writes to the partition until the transaction ends; reads continue.
          executeWithRetries(handle, "LOCK TABLE " + NAME.format(month) + " IN SHARE MODE");
          Map<UUID, Long> entries = entries(handle, month);
          requireLinked(state(handle, month, entries));
          // The log's entries use the database's clock as well.
          Instant now = handle.select("SELECT clock_timestamp()").mapTo(Instant.class).one();
          add(handle, drop.of(month, total(entries), now));
          EntryRows.add(
              handle,
              entries.keySet().stream().map(tenant -> entry.apply(new TenantId(tenant))).toList());
          executeWithRetries(handle, "DROP TABLE " + NAME.format(month));
          return total(entries);
        });
  }

  /**
   * Locks the partitions, and checks that a month may be dropped.
   *
   * @throws RefusedDropException if it is not over, is not in the log, or was dropped before
   */
  private static void requirePast(Handle handle, YearMonth month) {
    handle.execute("SELECT pg_advisory_xact_lock(hashtext('token-vault partitions'))");
    if (!month.isBefore(current(handle))) {
      throw new RefusedDropException(month, "is not over, and is kept.");
    }
    if (!months(handle).contains(month)) {
      throw new RefusedDropException(month, "is not a month of the log.");
    }
    if (wasDropped(handle, month)) {
      throw new RefusedDropException(
          month, "was already deleted, and has entries from a time when the clock was wrong.");
    }
  }

  /** Returns whether a partition of this month was dropped before. */
  private static boolean wasDropped(Handle handle, YearMonth month) {
    return handle
        .select("SELECT EXISTS (SELECT FROM audit_drop WHERE month = ?)", month.atDay(1))
        .mapTo(Boolean.class)
        .one();
  }

  /**
   * Checks that the hash chain names exactly the entries of the month.
   *
   * @throws RefusedDropException if it does not
   */
  private static void requireLinked(State state) {
    if (!state.chained()) {
      throw new RefusedDropException(
          state.month(),
          "has entries outside the hash chain, or entries that differ from it, and is kept."
              + " A running server adds them to the hash chain within seconds; see 'audit"
              + " verify'.");
    }
  }

  /**
   * Runs a statement that needs a lock. If it times out, the lock requests of others proceed before
   * the next attempt.
   *
   * @throws RefusedException as unavailable if all attempts time out
   */
  private static void executeWithRetries(Handle handle, String sql) {
    for (int i = 1; ; i++) {
      handle.savepoint("before");
      try {
        handle.execute(sql);
        return;
      } catch (JdbiException busy) {
        handle.rollbackToSavepoint("before");
        if (i == ATTEMPTS || !SqlFailures.isLockTimeout(busy)) {
          throw i == ATTEMPTS ? RefusedException.unavailable(null) : busy;
        }
      }
    }
  }

  /** Records the dropped partition, with a MAC that covers it. */
  private static void add(Handle handle, PartitionDrop drop) {
    handle
        .createUpdate(
            """
            INSERT INTO audit_drop (month, entries, dropped_at, mac, mac_key)
            VALUES (:month, :entries, :time, :mac, :key)
            """)
        .bind("month", drop.month().atDay(1))
        .bind("entries", drop.entries())
        .bind("time", SqlValues.time(drop.droppedAt()))
        .bind("mac", drop.mac().bytes())
        .bind("key", drop.mac().keyId())
        .execute();
  }
}
