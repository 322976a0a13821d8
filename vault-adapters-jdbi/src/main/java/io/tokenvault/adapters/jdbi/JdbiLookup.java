package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.ExpiryCondition;
import io.tokenvault.adapters.jdbi.sql.SizedRead;
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
 * All that a request needs, in one statement: rows of several kinds, as of one moment. Large tokens
 * take a second one.
 */
final class JdbiLookup implements RequestLookup {

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
              ExpiryCondition.UNEXPIRED,
              StoredColumns.EGRESS);

  private final Database database;

  JdbiLookup(Database database) {
    this.database = database;
  }

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation room) {
    List<Found> rows = SizedRead.read(granted -> read(lookup, granted), JdbiLookup::weight, room);
    return assemble(lookup, rows);
  }

  private List<Found> read(LookupRequest lookup, long granted) {
    return database.run(
        handle -> query(handle, lookup).bind("room", granted).map(Found::read).list());
  }

  /** Of all tokens, which each of them says. */
  private static long weight(List<Found> rows) {
    return of(Kind.TOKEN, rows).findFirst().map(Found::weight).orElse(0L);
  }

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

  private static LookupResult assemble(LookupRequest lookup, List<Found> rows) {
    return new LookupResult(
        rows.get(0).now(),
        of(Kind.CALLER, rows).findFirst().map(found -> caller(found, lookup, rows)),
        of(Kind.PROXY, rows).findFirst().map(found -> proxy(found, lookup, rows)),
        tokens(rows));
  }

  private static Stream<Found> of(Kind kind, List<Found> rows) {
    return rows.stream().filter(found -> found.kind() == kind);
  }

  private static LoadedCaller caller(Found found, LookupRequest lookup, List<Found> rows) {
    Application caller = found.row().toApplication();
    Optional<Instant> keyEnds = Optional.ofNullable(found.ends());
    boolean expired = found.isOver(caller.expiresAt()) || found.isOver(keyEnds);
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

  /** Who has an application is there. */
  private static TenantEgress egress(TenantId tenantId, List<Found> rows) {
    return of(Kind.EGRESS, rows)
        .map(Found::row)
        .filter(row -> row.tenantId().equals(tenantId))
        .findFirst()
        .map(StoredRow::toEgress)
        .orElseThrow();
  }

  private static LoadedProxy proxy(Found found, LookupRequest lookup, List<Found> rows) {
    StoredProxy proxy = found.row().toProxy();
    return new LoadedProxy(
        proxy,
        keys(proxy.proxy().tenantId(), rows),
        found.matched(lookup.proxyKey()).orElseThrow());
  }

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
   * A row of the answer.
   *
   * @param place of the hash that it was found by, from 1; 0 if it was not found by one
   * @param ends when the key that it was found by ends; null if it does not
   * @param weight of all tokens together
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

    boolean isOver(Optional<Instant> end) {
      return end.map(time -> !time.isAfter(now)).orElse(false);
    }

    Optional<KeyHash> matched(List<KeyHash> wanted) {
      return place == 0 ? Optional.empty() : Optional.of(wanted.get(place - 1));
    }
  }
}
