package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.Conditions;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Writes new tokens and their audit entries in one statement, each under its own preconditions. A
 * token that can be stored is written with its entry; of the others, neither is written.
 *
 * <p>Rows are inserted in the order of their keys, so that two batches with the same ids cannot
 * deadlock.
 */
final class TokenBatch {

  /** A token that a call stores, and the preconditions for it. */
  record Call(NewToken token, Preconditions versions) {

    private Key key() {
      return new Key(token.tenantId().toString(), token.id().value());
    }

    /**
     * Returns the number of rows that the call writes and checks: the token, its entry and a row
     * for each precondition.
     */
    int size() {
      return 2 + versions.size();
    }
  }

  /** The primary key of a token, in the order in which rows are inserted. */
  private record Key(String tenant, String id) implements Comparable<Key> {

    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::tenant).thenComparing(Key::id);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }

    private static Key of(StoredToken stored) {
      return new Key(stored.token().tenantId().toString(), stored.token().id().value());
    }
  }

  // Stores nothing for a tenant whose keys are being destroyed. Skipping its locked row keeps the
  // calls of other tenants from waiting for that.
  private static final String STATEMENT =
      "WITH stale AS MATERIALIZED (\n"
          + Conditions.STALE
          + """
          ), held AS MATERIALIZED (
            SELECT tenant_id FROM tenant
            WHERE tenant_id = ANY (:tenants::uuid[]) AND shredded_at IS NULL
            FOR KEY SHARE SKIP LOCKED
          ), stored AS (
          """
          + TokenRows.INSERT
          + """
            WHERE wanted.tenant_id IN (SELECT tenant_id FROM held)
              AND (:conditions::integer[])[place::integer] NOT IN (SELECT condition FROM stale)
            ORDER BY place
          """
          + TokenRows.UNLESS_TAKEN
          + "), written AS (\n"
          + EntryRows.INSERT
          + """
          WHERE ((:tenants::uuid[])[place::integer], (:ids::text[])[place::integer])
              IN (SELECT tenant_id, id FROM stored)
          """
          + EntryRows.IN_ORDER
          + "\n)\nSELECT * FROM stored";

  /** The first call for each id. */
  private final Map<Key, Call> first = new TreeMap<>();

  private final List<Call> calls;

  /** Creates a batch. Of several calls with one id, only the first can succeed. */
  TokenBatch(List<Call> calls) {
    this.calls = calls;
    calls.forEach(each -> first.putIfAbsent(each.key(), each));
  }

  /**
   * Writes the batch and returns the stored token of each call, in their order.
   *
   * <p>A token is empty if its preconditions do not hold, its id is taken, even by an expired token
   * or by another call of this batch, or its tenant was deleted or its keys destroyed.
   */
  List<Optional<StoredToken>> write(Handle handle) {
    Map<Key, StoredToken> stored = new HashMap<>();
    query(handle)
        .map(StoredRow::read)
        .map(StoredRow::toStoredToken)
        .forEach(each -> stored.put(Key.of(each), each));
    // Only the first call with an id wrote the row, so it removes the row from the map.
    return calls.stream().map(each -> Optional.ofNullable(stored.remove(each.key()))).toList();
  }

  /** Binds the tokens, their entries and the numbers of their preconditions. */
  private Query query(Handle handle) {
    List<NewToken> tokens = first.values().stream().map(Call::token).toList();
    Conditions wanted = new Conditions();
    List<Integer> conditions =
        first.values().stream().map(each -> wanted.number(each.versions())).toList();
    Query query =
        EntryRows.bind(
            handle.createQuery(STATEMENT), tokens.stream().map(NewToken::entry).toList());
    TokenRows.bind(query, tokens).bind("conditions", SqlValues.integers(conditions));
    return wanted.bind(query);
  }
}
