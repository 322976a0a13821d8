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
 * New tokens with their entries, each on its own condition, in one statement. Of each that can be
 * stored the row and the entry are written; of others neither.
 *
 * <p>Rows are inserted in the order of their keys, so that two batches with the same ids wait for
 * each other and never both.
 */
final class TokenBatch {

  /** A token that a call wants stored, and what has to hold for that. */
  record Call(NewToken token, Preconditions versions) {

    private Key key() {
      return new Key(token.tenantId().toString(), token.id().value());
    }

    /** How many rows it writes and looks at. */
    int size() {
      return 2 + versions.size();
    }
  }

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

  // Of a tenant whose keys are being destroyed nothing is stored, and others do not wait for that.
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

  /** The first of those that want the same id. */
  private final Map<Key, Call> first = new TreeMap<>();

  private final List<Call> calls;

  TokenBatch(List<Call> calls) {
    this.calls = calls;
    calls.forEach(each -> first.putIfAbsent(each.key(), each));
  }

  /**
   * What was stored for each call, in their order. Empty if a condition does not hold, the id is
   * taken, even by a token that has expired or of this batch, or the tenant was shredded or is
   * gone.
   */
  List<Optional<StoredToken>> write(Handle handle) {
    Map<Key, StoredToken> stored = new HashMap<>();
    query(handle)
        .map(StoredRow::read)
        .map(StoredRow::toStoredToken)
        .forEach(each -> stored.put(Key.of(each), each));
    // The first of those with one id, whose row it is, takes it away from the others.
    return calls.stream().map(each -> Optional.ofNullable(stored.remove(each.key()))).toList();
  }

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
