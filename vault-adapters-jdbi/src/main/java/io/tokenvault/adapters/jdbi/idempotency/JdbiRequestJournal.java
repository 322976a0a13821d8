package io.tokenvault.adapters.jdbi.idempotency;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.Database.SharedTransaction;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Announced;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.JournalState;
import io.tokenvault.ports.store.RequestJournal.JournalState.First;
import io.tokenvault.ports.store.RequestJournal.JournalState.Running;
import io.tokenvault.ports.store.RequestJournal.StoredResponse;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/**
 * The journal of requests with an idempotency key.
 *
 * <p>Of two identical requests, one acquires an advisory lock until its transaction ends, and the
 * other is reported as running. The database releases the lock of a node that fails. Requests that
 * only change the database are executed within that transaction by {@link #once}; those that are
 * forwarded are announced first, because a destination cannot be rolled back: their row has {@code
 * running_until} until it has a response, which can expire before the row does.
 *
 * <p>Durations are bound in milliseconds and added to the database's clock, so that the clocks of
 * nodes need not agree.
 *
 * <p>An instance is safe for use by many threads.
 */
public final class JdbiRequestJournal implements RequestJournal {

  /**
   * Limit on idle time within the transaction, for operations that compute between their
   * statements.
   */
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

  /** Acquires the lock without waiting, and sets the limit for this transaction. */
  private static final String LOCK =
      """
      SELECT pg_try_advisory_xact_lock(hashtextextended(:place, 0)) AS is_free,
             set_config('idle_in_transaction_session_timeout', :idleTimeout, true)
      """;

  /** Separates the parts of a response subject; only the last part, the id, may contain it. */
  private static final String SEPARATOR = " ";

  /** Number of parts of a response subject. */
  private static final int PARTS = 3;

  /** A time after the current one, by the database's clock; NULL for a NULL duration. */
  private static final String FROM_NOW =
      "clock_timestamp() + %s::bigint * interval '1 millisecond'";

  /** Selects the request by any of the hashes of its idempotency key. */
  private static final String MATCHING =
      "tenant_id = :tenant AND application_id = :application AND place = ANY (:places)";

  /**
   * Selects an earlier request. Leaves out a response that has expired or exceeds {@code :reserved}
   * bytes.
   */
  private static final String FIND =
      """
      SELECT request_id, content = ANY (:contents) AS is_same,
        running_until IS NOT NULL AS is_announced, running_until <= clock_timestamp() AS is_lost,
        CASE WHEN answer_until <= clock_timestamp() OR octet_length(answer) > :reserved THEN NULL
          ELSE answer END AS answer,
        coalesce(octet_length(answer), 0) AS weight, answer_key_version, subjects
      FROM keyed_request
      WHERE\s"""
          + MATCHING;

  /** Inserts a request; {@code :running} is NULL if it was executed already. */
  private static final String INSERT =
      """
      INSERT INTO keyed_request (
        tenant_id, request_id, application_id, place, content, running_until,
        answer, answer_key_version, answer_until, subjects, expires_at)
      VALUES (
        :tenant, :id, :application, :place, :content, %s,
        :answer, :answerVersion, %s, :subjects, %s)
      """
          .formatted(
              FROM_NOW.formatted(":running"),
              FROM_NOW.formatted(":answerRetention"),
              FROM_NOW.formatted(":retention"));

  /** Selects an announced request that has no response yet. */
  private static final String ANNOUNCED =
      " WHERE tenant_id = :tenant AND request_id = :id AND running_until IS NOT NULL";

  /** Stores the response of an announced request, which ends its running time. */
  private static final String ANSWER =
      """
      UPDATE keyed_request
      SET running_until = NULL, answer = :answer, answer_key_version = :answerVersion,
          answer_until = %s, subjects = :subjects
      """
              .formatted(FROM_NOW.formatted(":answerRetention"))
          + ANNOUNCED;

  /** Deletes an announced request, so that it can be sent again. */
  private static final String WITHDRAW = "DELETE FROM keyed_request" + ANNOUNCED;

  /** Ends the running time at once, so that a retry learns that the outcome is unknown. */
  private static final String ABANDON =
      "UPDATE keyed_request SET running_until = clock_timestamp()" + ANNOUNCED;

  /** Extends the running time of several requests by one statement. */
  private static final String PROLONG =
      """
      UPDATE keyed_request
      SET running_until = %s
      FROM unnest(:tenants::uuid[], :ids::uuid[]) AS announced (tenant, id)
      WHERE tenant_id = tenant AND request_id = id AND running_until IS NOT NULL
      """
          .formatted(FROM_NOW.formatted(":running"));

  /** Selects rows whose time has passed and that no other node is processing. */
  private static final String DUE =
      """
      WITH due AS MATERIALIZED (
        SELECT tenant_id AS due_tenant, request_id AS due_request
        FROM keyed_request
        WHERE %1$s <= clock_timestamp() %2$s
        ORDER BY %1$s
        LIMIT :limit
        FOR UPDATE SKIP LOCKED)
      """;

  private static final String DELETE_EXPIRED =
      DUE.formatted("expires_at", "")
          + """
          DELETE FROM keyed_request USING due
          WHERE tenant_id = due_tenant AND request_id = due_request
          """;

  /** Deletes expired responses, and keeps their requests. */
  private static final String DELETE_RESPONSES =
      DUE.formatted("answer_until", "AND answer IS NOT NULL")
          + """
          UPDATE keyed_request SET answer = NULL, answer_key_version = NULL
          FROM due
          WHERE tenant_id = due_tenant AND request_id = due_request
          """;

  private static final StoredResponse NO_RESPONSE =
      new StoredResponse(Optional.empty(), List.of(), Optional.empty());

  private final Database database;
  private final SharedTransaction shared;

  /** Creates the journal; the stores take part in the shared transaction of a request. */
  public JdbiRequestJournal(Database database, SharedTransaction shared) {
    this.database = database;
    this.shared = shared;
  }

  @Override
  public JournalState once(
      IdempotentRequest request, MemoryReservation reservation, Supplier<StoredResponse> work) {
    return database.change(
        handle ->
            earlier(handle, request, reservation)
                .orElseGet(
                    () -> {
                      // The stores join this transaction, so that changes and response commit
                      // together.
                      StoredResponse response = shared.within(handle, unused -> work.get());
                      insert(handle, request, response).bindNull("running", Types.BIGINT).execute();
                      return new First();
                    }));
  }

  @Override
  public JournalState announce(
      IdempotentRequest request, Duration running, MemoryReservation reservation) {
    return database.change(
        handle ->
            earlier(handle, request, reservation)
                .orElseGet(
                    () -> {
                      insert(handle, request, NO_RESPONSE)
                          .bind("running", running.toMillis())
                          .execute();
                      return new First();
                    }));
  }

  /**
   * Returns the earlier request. Empty if this one is the first; no other can become the first
   * until the transaction ends.
   */
  private static Optional<JournalState> earlier(
      Handle handle, IdempotentRequest request, MemoryReservation reservation) {
    // The response is stored encrypted, so the tenant's keys must not be destroyed meanwhile.
    JdbiKeys.requireKeys(handle, request.tenantId());
    return isFree(handle, request)
        ? find(handle, request, reservation)
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
        .bind("idleTimeout", String.valueOf(IDLE_TIMEOUT.toMillis()))
        .map((row, context) -> row.getBoolean("is_free"))
        .one();
  }

  /**
   * Returns the earlier request with this idempotency key; empty if there is none. Deletes one that
   * has expired.
   *
   * @param reservation the reservation for its response
   * @return {@link JournalState.Stale} if the tenant has keys that this request was not hashed with
   */
  private static Optional<JournalState> find(
      Handle handle, IdempotentRequest request, MemoryReservation reservation) {
    long keys = keyCount(handle, request.tenantId());
    if (keys != request.keyCount()) {
      return Optional.of(new JournalState.Stale());
    }
    // An expired request must not be found; the periodic deletion may not have reached it yet.
    deleteOver(handle, request);
    return Database.readReserved(
            granted -> find(handle, request, granted),
            found -> found.map(Map.Entry::getKey).orElse(0L),
            reservation)
        .map(Map.Entry::getValue);
  }

  /**
   * Reads the request with the size of its encrypted response, which is omitted if it exceeds the
   * granted bytes.
   */
  private static Optional<Map.Entry<Long, JournalState>> find(
      Handle handle, IdempotentRequest request, long granted) {
    return matching(handle.createQuery(FIND), request)
        .bind("reserved", granted)
        .bind("contents", SqlValues.texts(request.contents(), TokenHash::hex))
        .map((row, context) -> Map.entry(row.getLong("weight"), read(row)))
        .findFirst();
  }

  /** Counts the tenant's keys of all purposes and versions. */
  private static long keyCount(Handle handle, TenantId tenantId) {
    return handle
        .select("SELECT count(*) FROM tenant_key WHERE tenant_id = ?", tenantId.value())
        .mapTo(Long.class)
        .one();
  }

  /** Deletes the request if it has expired, so that its idempotency key can be used again. */
  private static void deleteOver(Handle handle, IdempotentRequest request) {
    matching(
            handle.createUpdate(
                "DELETE FROM keyed_request WHERE expires_at <= clock_timestamp() AND " + MATCHING),
            request)
        .execute();
  }

  /**
   * Binds the parameters of {@link #MATCHING}: the hashes of the idempotency key under all key
   * versions.
   */
  private static <S extends SqlStatement<S>> S matching(S statement, IdempotentRequest request) {
    return statement
        .bind("tenant", request.tenantId().value())
        .bind("application", request.applicationId().value())
        .bind("places", SqlValues.texts(request.places(), TokenHash::hex));
  }

  /** Reads the outcome of an earlier request: other content, running, lost, or its response. */
  private static JournalState read(ResultSet row) throws SQLException {
    if (!row.getBoolean("is_same")) {
      return new JournalState.Different();
    }
    if (row.getBoolean("is_announced")) {
      return row.getBoolean("is_lost") ? new JournalState.Lost() : new JournalState.Running();
    }
    byte[] response = row.getBytes("answer");
    int version = row.getInt("answer_key_version");
    return new JournalState.Completed(
        row.getObject("request_id", UUID.class),
        Optional.ofNullable(response).map(bytes -> new EncryptedValue(version, bytes)),
        Stream.of((String[]) row.getArray("subjects").getArray())
            .map(JdbiRequestJournal::subject)
            .toList());
  }

  /** Parses a subject that {@link #text} formatted. */
  private static ResponseSubject subject(String text) {
    String[] parts = text.split(SEPARATOR, PARTS);
    return new ResponseSubject(
        ResponseSubject.Kind.valueOf(parts[0]), AccessTransform.valueOf(parts[1]), parts[2]);
  }

  /** Formats a subject of a response: its kind, how it was shown, its id. */
  private static String text(ResponseSubject subject) {
    return String.join(SEPARATOR, subject.kind().name(), subject.shown().name(), subject.id());
  }

  /** Binds a request. The first hashes are those of the current key. */
  private static Update insert(Handle handle, IdempotentRequest request, StoredResponse response) {
    return bind(handle.createUpdate(INSERT), response)
        .bind("tenant", request.tenantId().value())
        .bind("id", request.id())
        .bind("application", request.applicationId().value())
        .bind("place", request.places().get(0).hex())
        .bind("content", request.contents().get(0).hex())
        .bind("retention", request.retention().toMillis());
  }

  /** Binds a response; all of its columns may be NULL. */
  private static Update bind(Update update, StoredResponse response) {
    return update
        .bind("answer", response.encrypted().map(EncryptedValue::ciphertext).orElse(null))
        .bind("answerVersion", response.encrypted().map(EncryptedValue::keyVersion).orElse(null))
        .bind("answerRetention", response.retention().map(Duration::toMillis).orElse(null))
        .bind("subjects", SqlValues.texts(response.subjects(), JdbiRequestJournal::text));
  }

  @Override
  public boolean complete(TenantId tenantId, UUID id, StoredResponse response) {
    return database.run(handle -> one(bind(handle.createUpdate(ANSWER), response), tenantId, id))
        > 0;
  }

  @Override
  public void withdraw(TenantId tenantId, UUID id) {
    database.run(handle -> one(handle.createUpdate(WITHDRAW), tenantId, id));
  }

  @Override
  public void abandon(TenantId tenantId, UUID id) {
    database.run(handle -> one(handle.createUpdate(ABANDON), tenantId, id));
  }

  /** Runs a statement on one announced request, and returns the number of rows that changed. */
  private static int one(Update update, TenantId tenantId, UUID id) {
    return update.bind("tenant", tenantId.value()).bind("id", id).execute();
  }

  @Override
  public void prolong(Collection<Announced> requests, Duration running) {
    database.run(
        handle ->
            handle
                .createUpdate(PROLONG)
                .bind("tenants", SqlValues.uuids(requests, each -> each.tenantId().value()))
                .bind("ids", SqlValues.uuids(requests, Announced::id))
                .bind("running", running.toMillis())
                .execute());
  }

  @Override
  public int deleteExpired(int limit) {
    return deleteDue(limit, DELETE_EXPIRED);
  }

  @Override
  public int deleteExpiredResponses(int limit) {
    return deleteDue(limit, DELETE_RESPONSES);
  }

  private int deleteDue(int limit, String statement) {
    return database.run(handle -> handle.createUpdate(statement).bind("limit", limit).execute());
  }
}
