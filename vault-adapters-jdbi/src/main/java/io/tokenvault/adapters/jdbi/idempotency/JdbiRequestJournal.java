package io.tokenvault.adapters.jdbi.idempotency;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.SharedTransaction;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Meeting.First;
import io.tokenvault.ports.store.RequestJournal.Meeting.Running;
import io.tokenvault.ports.store.model.IdempotentRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/**
 * The journal of requests with an idempotency key.
 *
 * <p>Of two identical requests, one acquires an advisory lock until its transaction ends, and the
 * other is reported as running. The database releases the lock of a node that fails. Requests that
 * only change the database are executed within that transaction by {@link #once}; those that are
 * forwarded are announced first, because a destination cannot be rolled back.
 *
 * <p>An instance is safe for use by many threads.
 */
public final class JdbiRequestJournal implements RequestJournal {

  /**
   * Limit on idle time within the transaction, for operations that compute between their
   * statements.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Acquires the lock without waiting, and sets the limit for this transaction. */
  private static final String LOCK =
      """
      SELECT pg_try_advisory_xact_lock(hashtextextended(:place, 0)) AS is_free,
             set_config('idle_in_transaction_session_timeout', :patience, true)
      """;

  private final Database database;
  private final SharedTransaction shared;

  /**
   * Creates the journal.
   *
   * @param database the database
   * @param shared the transaction that the stores take part in while a request is executed
   */
  public JdbiRequestJournal(Database database, SharedTransaction shared) {
    this.database = database;
    this.shared = shared;
  }

  @Override
  public Meeting once(IdempotentRequest request, MemoryReservation room, Supplier<Given> work) {
    return database.change(
        handle ->
            alone(handle, request, room)
                .orElseGet(
                    () -> {
                      // The stores join this transaction, so that changes and response commit
                      // together.
                      Given given = shared.within(handle, unused -> work.get());
                      RequestRows.insertAnswered(handle, request, given);
                      return new First();
                    }));
  }

  @Override
  public Meeting announce(IdempotentRequest request, Duration running, MemoryReservation room) {
    return database.change(
        handle ->
            alone(handle, request, room)
                .orElseGet(
                    () -> {
                      RequestRows.insertRunning(handle, request, running);
                      return new First();
                    }));
  }

  /**
   * Returns the earlier request. Empty if this one is the first; no other can become the first
   * until the transaction ends.
   */
  private static Optional<Meeting> alone(
      Handle handle, IdempotentRequest request, MemoryReservation room) {
    // The response is stored encrypted, so the tenant's keys must not be destroyed meanwhile.
    JdbiKeys.requireKeys(handle, request.tenantId());
    return isFree(handle, request)
        ? RequestRows.find(handle, request, room)
        : Optional.of(new Running());
  }

  /**
   * Acquires the lock. Its name is the oldest of the request's key hashes, so that nodes with
   * different current keys agree on it.
   */
  private static boolean isFree(Handle handle, IdempotentRequest request) {
    return handle
        .createQuery(LOCK)
        .bind("place", "request " + request.tenantId() + request.oldestPlace())
        .bind("patience", String.valueOf(PATIENCE.toMillis()))
        .map((row, context) -> row.getBoolean("is_free"))
        .one();
  }

  @Override
  public boolean answer(TenantId tenantId, UUID id, Given given) {
    return database.run(handle -> RequestRows.answer(handle, tenantId, id, given));
  }

  @Override
  public void withdraw(TenantId tenantId, UUID id) {
    database.run(handle -> RequestRows.withdraw(handle, tenantId, id));
  }

  @Override
  public void abandon(TenantId tenantId, UUID id) {
    database.run(handle -> RequestRows.abandon(handle, tenantId, id));
  }

  @Override
  public void prolong(Collection<Announced> requests, Duration running) {
    database.run(handle -> RequestRows.prolong(handle, requests, running));
  }

  @Override
  public int deleteExpired(int limit) {
    return database.run(handle -> RequestRows.deleteExpired(handle, limit));
  }

  @Override
  public int deleteExpiredAnswers(int limit) {
    return database.run(handle -> RequestRows.deleteExpiredAnswers(handle, limit));
  }
}
