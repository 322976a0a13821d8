package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Loads everything that authorizes a request in one statement, and so from one snapshot: the
 * caller, its delegator, the invoked proxy, the tenant's keys and egress policy, and the tokens
 * that the request names.
 *
 * <p>The statement is a union of one query for each kind of record. All of them return the columns
 * of {@link StoredRow}, with a {@code kind} in front. Tokens whose data is large are read by a
 * second statement once memory is reserved for them; see {@link Database#readReserved}.
 */
final class JdbiLookup implements RequestLookup {

  /**
   * The API key and the proxy key are looked up by their hashes under each hash version. The
   * position of the hash that matched is returned, so that an outdated hash can be renewed.
   */
  private static final String STATEMENT =
      """
      WITH api_key AS (
        SELECT tenant_id, owner_id, place, ends_at
        FROM credential
        JOIN unnest(:apiVersions::integer[], :apiHashes::bytea[]) WITH ORDINALITY
          AS wanted (version, hash, place)
          ON key_hash = hash AND hash_version = version
        WHERE kind IN ('api', 'ending')
      ), caller AS (
        SELECT application.*, place, ends_at
        FROM api_key
        JOIN application ON application.tenant_id = api_key.tenant_id
          AND application.application_id = api_key.owner_id
        UNION ALL
        SELECT application.*, NULL, NULL
        FROM application
        WHERE tenant_id = :actingTenant::uuid AND application_id = :acting::uuid
      ), proxy_key AS (
        SELECT tenant_id, owner_id, place
        FROM credential
        JOIN unnest(:proxyVersions::integer[], :proxyHashes::bytea[]) WITH ORDINALITY
          AS wanted (version, hash, place)
          ON key_hash = hash AND hash_version = version
        WHERE kind = 'proxy'
      ), invoked AS (
        SELECT proxy.*, place
        FROM proxy_key
        JOIN proxy ON proxy.tenant_id = proxy_key.tenant_id
          AND proxy.proxy_id = proxy_key.owner_id
      )
      SELECT 'CLOCK' AS kind, now() AS now, NULL::bigint AS place, NULL::timestamptz AS ends_at,
        %5$s, NULL::bigint AS weight
      UNION ALL
      SELECT 'CALLER', now(), place, ends_at, %1$s, NULL
      FROM caller
      UNION ALL
      SELECT 'DELEGATOR', now(), NULL, NULL, %1$s, NULL
      FROM application
      WHERE (tenant_id, application_id) IN (SELECT tenant_id, delegated_by FROM caller)
        AND %6$s
      UNION ALL
      SELECT 'PROXY', now(), place, NULL, %2$s, NULL
      FROM invoked
      UNION ALL
      SELECT 'TENANT_KEY', now(), NULL, NULL, %4$s, NULL
      FROM tenant_key
      WHERE tenant_id IN (SELECT tenant_id FROM caller UNION SELECT tenant_id FROM invoked)
      UNION ALL
      SELECT 'EGRESS', now(), NULL, NULL, %7$s, NULL
      FROM tenant
      WHERE tenant_id IN (SELECT tenant_id FROM caller)
      UNION ALL
      SELECT 'TOKEN', now(), NULL, NULL, %3$s
      FROM token
      WHERE tenant_id = (SELECT tenant_id FROM caller) AND token_id = ANY (:tokens)
        AND %6$s
      """
          .formatted(
              StoredColumns.APPLICATION,
              StoredColumns.PROXY,
              StoredColumns.TOKEN_WITHIN_ROOM,
              StoredColumns.TENANT_KEY,
              StoredColumns.NOTHING,
              StoredColumns.UNEXPIRED,
              StoredColumns.EGRESS);

  private final Database database;

  JdbiLookup(Database database) {
    this.database = database;
  }

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
    // The second statement, if there is one, replaces all rows of the first, so that they belong to
    // one snapshot.
    List<Found> rows =
        Database.readReserved(granted -> read(lookup, granted), JdbiLookup::weight, reservation);
    return assemble(lookup, rows);
  }

  /**
   * Runs the statement once.
   *
   * @param granted the number of bytes that the tokens' data may have; more is omitted
   */
  private List<Found> read(LookupRequest lookup, long granted) {
    return database.run(
        handle -> query(handle, lookup).bind("room", granted).map(Found::read).list());
  }

  /** Returns the total size of all tokens, which each token row contains; 0 without tokens. */
  private static long weight(List<Found> rows) {
    return of(Kind.TOKEN, rows).findFirst().map(Found::weight).orElse(0L);
  }

  /** Binds the look-up's keys and token ids; absent ones become empty arrays or NULL. */
  private static Query query(Handle handle, LookupRequest lookup) {
    return handle
        .createQuery(STATEMENT)
        .bind("apiVersions", SqlValues.numbers(versions(lookup.apiKey())))
        .bind("apiHashes", SqlValues.bytes(hashes(lookup.apiKey())))
        .bind("actingTenant", lookup.acting().map(each -> each.tenantId().value()).orElse(null))
        .bind("acting", lookup.acting().map(each -> each.id().value()).orElse(null))
        .bind("proxyVersions", SqlValues.numbers(versions(lookup.proxyKey())))
        .bind("proxyHashes", SqlValues.bytes(hashes(lookup.proxyKey())))
        .bind("tokens", SqlValues.texts(lookup.tokens().stream().map(TokenId::value).toList()));
  }

  private static List<Integer> versions(List<KeyHash> hashes) {
    return hashes.stream().map(KeyHash::version).toList();
  }

  private static List<byte[]> hashes(List<KeyHash> hashes) {
    return hashes.stream().map(KeyHash::bytes).toList();
  }

  /** Builds the result from all rows. The first row always exists: it holds the database's time. */
  private static LookupResult assemble(LookupRequest lookup, List<Found> rows) {
    return new LookupResult(
        rows.get(0).now(),
        of(Kind.CALLER, rows).findFirst().map(found -> caller(found, lookup, rows)),
        of(Kind.PROXY, rows).findFirst().map(found -> proxy(found, lookup, rows)),
        tokens(rows));
  }

  /** Returns the rows of one kind. */
  private static Stream<Found> of(Kind kind, List<Found> rows) {
    return rows.stream().filter(found -> found.kind() == kind);
  }

  /**
   * Builds the caller. It is expired if either the application or the API key has ended by the
   * database's clock.
   */
  private static LoadedCaller caller(Found found, LookupRequest lookup, List<Found> rows) {
    Application caller = found.row().toApplication();
    Optional<Instant> keyEnds = Optional.ofNullable(found.ends());
    boolean expired = caller.isExpired(found.now()) || found.isOver(keyEnds);
    Optional<Application> delegator =
        of(Kind.DELEGATOR, rows).findFirst().map(each -> each.row().toApplication());
    return new LoadedCaller(
        caller,
        expired,
        delegator,
        keys(caller.tenantId(), rows),
        egress(caller.tenantId(), rows),
        found.matched(lookup.apiKey()),
        keyEnds);
  }

  /**
   * Returns the egress policy of a tenant, which exists for every tenant that has an application.
   */
  private static TenantEgress egress(TenantId tenantId, List<Found> rows) {
    return of(Kind.EGRESS, rows)
        .map(Found::row)
        .filter(row -> row.tenantId().equals(tenantId))
        .findFirst()
        .map(StoredRow::toEgress)
        .orElseThrow();
  }

  /** Builds the proxy, with the data keys of its tenant. */
  private static LoadedProxy proxy(Found found, LookupRequest lookup, List<Found> rows) {
    StoredProxy proxy = found.row().toProxy();
    return new LoadedProxy(
        proxy,
        keys(proxy.proxy().tenantId(), rows),
        found.matched(lookup.proxyKey()).orElseThrow());
  }

  /**
   * Returns the wrapped keys of one tenant: the caller and the proxy can belong to different
   * tenants.
   */
  private static TenantKeys keys(TenantId tenantId, List<Found> rows) {
    return new TenantKeys(
        tenantId,
        of(Kind.TENANT_KEY, rows)
            .map(Found::row)
            .filter(row -> row.tenantId().equals(tenantId))
            .map(StoredRow::toKey)
            .toList());
  }

  private static Map<TokenId, StoredToken> tokens(List<Found> rows) {
    return of(Kind.TOKEN, rows)
        .map(found -> found.row().toStoredToken())
        .collect(Collectors.toMap(stored -> stored.token().id(), Function.identity()));
  }

  /** The kinds of rows; the names appear in the statement. */
  private enum Kind {
    CLOCK,
    CALLER,
    DELEGATOR,
    PROXY,
    TENANT_KEY,
    EGRESS,
    TOKEN
  }

  /**
   * A row of the result.
   *
   * @param kind the kind of record in the row
   * @param now the database's time, identical in all rows
   * @param place the position of the hash that matched, from 1; 0 if no hash was looked up
   * @param ends the time at which the matched key ends; null if it does not
   * @param row the record's columns
   * @param weight the size of all tokens' data together, in bytes
   */
  private record Found(
      Kind kind, Instant now, int place, Instant ends, StoredRow row, long weight) {
    static Found read(ResultSet row, StatementContext context) throws SQLException {
      return new Found(
          Kind.valueOf(row.getString("kind")),
          StoredRow.time(row, "now"),
          row.getInt("place"),
          StoredRow.time(row, "ends_at"),
          StoredRow.read(row, context),
          row.getLong("weight"));
    }

    /** Returns whether an end is present and has passed by the database's time. */
    boolean isOver(Optional<Instant> end) {
      return end.map(time -> !time.isAfter(now)).orElse(false);
    }

    /** Returns the hash among the wanted ones that this row was found by. */
    Optional<KeyHash> matched(List<KeyHash> wanted) {
      return place == 0 ? Optional.empty() : Optional.of(wanted.get(place - 1));
    }
  }
}
