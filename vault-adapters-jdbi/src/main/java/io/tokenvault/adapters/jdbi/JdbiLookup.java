package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Loads everything that authorizes a request in one statement, and so from one snapshot: the
 * caller, its delegator, the invoked proxy, the tenant's keys and egress policy, and the tokens
 * that the request names.
 *
 * <p>The statement is a union of one query for each kind of record. All of them return the columns
 * of {@link StoredColumns}, with a {@code kind} in front. Tokens whose data is large are read by a
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
      SELECT 'CALLER', NULL, place, ends_at, %1$s, NULL
      FROM caller
      UNION ALL
      SELECT 'DELEGATOR', NULL, NULL, NULL, %1$s, NULL
      FROM application
      WHERE (tenant_id, application_id) IN (SELECT tenant_id, delegated_by FROM caller)
        AND %6$s
      UNION ALL
      SELECT 'PROXY', NULL, place, NULL, %2$s, NULL
      FROM invoked
      UNION ALL
      SELECT 'TENANT_KEY', NULL, NULL, NULL, %4$s, NULL
      FROM tenant_key
      WHERE tenant_id IN (SELECT tenant_id FROM caller UNION SELECT tenant_id FROM invoked)
      UNION ALL
      SELECT 'EGRESS', NULL, NULL, NULL, %7$s, NULL
      FROM tenant
      WHERE tenant_id IN (SELECT tenant_id FROM caller)
      UNION ALL
      SELECT 'TOKEN', NULL, NULL, NULL, %3$s
      FROM token
      WHERE tenant_id = (SELECT tenant_id FROM caller) AND token_id = ANY (:tokens)
        AND %6$s
      """
          .formatted(
              StoredColumns.APPLICATION,
              StoredColumns.PROXY,
              StoredColumns.TOKEN_WITHIN_RESERVATION,
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
    return Database.readReserved(
            granted -> read(lookup, granted), found -> found.weight, reservation)
        .result();
  }

  /**
   * Runs the statement once.
   *
   * @param granted the number of bytes that the tokens' data may have; more is omitted
   */
  private Found read(LookupRequest lookup, long granted) {
    return database.run(
        handle ->
            query(handle, lookup)
                .bind("reserved", granted)
                .reduceResultSet(new Found(lookup, granted), Found::add));
  }

  /** Binds the look-up's keys and token ids; absent ones become empty arrays or NULL. */
  private static Query query(Handle handle, LookupRequest lookup) {
    return handle
        .createQuery(STATEMENT)
        .bind("apiVersions", SqlValues.integers(lookup.apiKey(), KeyHash::version))
        .bind("apiHashes", SqlValues.bytes(lookup.apiKey(), KeyHash::bytes))
        .bind("actingTenant", lookup.acting().map(each -> each.tenantId().value()).orElse(null))
        .bind("acting", lookup.acting().map(each -> each.id().value()).orElse(null))
        .bind("proxyVersions", SqlValues.integers(lookup.proxyKey(), KeyHash::version))
        .bind("proxyHashes", SqlValues.bytes(lookup.proxyKey(), KeyHash::bytes))
        .bind("tokens", SqlValues.texts(lookup.tokens(), TokenId::value));
  }

  /** The records that one run of the statement returned. */
  private static final class Found {

    private final LookupRequest lookup;
    private final long granted;
    private final Map<TenantId, List<WrappedKey>> keys = new HashMap<>();
    private final Map<TokenId, StoredToken> tokens = new HashMap<>();
    // The database's time.
    private Instant now;
    private Application caller;
    private Instant callerKeyEnds;
    private int callerPlace;
    private Application delegator;
    private TenantEgress egress;
    private StoredProxy proxy;
    private int proxyPlace;
    // The total size of all tokens' data, which each row of a token contains.
    private long weight;

    Found(LookupRequest lookup, long granted) {
      this.lookup = lookup;
      this.granted = granted;
    }

    /** Adds the record in a row. There is at most one of each kind but keys and tokens. */
    Found add(ResultSet row, StatementContext context) throws SQLException {
      switch (row.getString("kind")) {
        case "CALLER" -> {
          caller = StoredRows.toApplication(row, context);
          callerKeyEnds = StoredRows.time(row, "ends_at");
          callerPlace = row.getInt("place");
        }
        case "DELEGATOR" -> delegator = StoredRows.toApplication(row, context);
        case "PROXY" -> {
          proxy = StoredRows.toProxy(row, context);
          proxyPlace = row.getInt("place");
        }
        case "TENANT_KEY" ->
            keys.computeIfAbsent(StoredRows.tenantId(row), unused -> new ArrayList<>())
                .add(StoredRows.toKey(row, context));
        case "EGRESS" -> egress = StoredRows.toEgress(row, context);
        case "TOKEN" -> addToken(row, context);
        case "CLOCK" -> now = StoredRows.time(row, "now");
        default -> throw new IllegalStateException("a row of an unknown kind");
      }
      return this;
    }

    /** Adds a token unless the tokens together have more data than was read. */
    private void addToken(ResultSet row, StatementContext context) throws SQLException {
      weight = row.getLong("weight");
      if (weight <= granted) {
        StoredToken token = StoredRows.toStoredToken(row, context);
        tokens.put(token.token().id(), token);
      }
    }

    LookupResult result() {
      return new LookupResult(
          now,
          Optional.ofNullable(caller).map(this::loadedCaller),
          Optional.ofNullable(proxy).map(this::loadedProxy),
          tokens);
    }

    /**
     * Returns the caller. It is expired if either the application or the API key has ended by the
     * database's clock.
     */
    private LoadedCaller loadedCaller(Application application) {
      boolean keyEnded = callerKeyEnds != null && !callerKeyEnds.isAfter(now);
      return new LoadedCaller(
          application,
          keyEnded || application.isExpired(now),
          Optional.ofNullable(delegator),
          keys(application.tenantId()),
          egress,
          matched(callerPlace, lookup.apiKey()),
          Optional.ofNullable(callerKeyEnds));
    }

    private LoadedProxy loadedProxy(StoredProxy stored) {
      return new LoadedProxy(
          stored,
          keys(stored.proxy().tenantId()),
          matched(proxyPlace, lookup.proxyKey()).orElseThrow());
    }

    /**
     * Returns the wrapped keys of one tenant: the caller and the proxy can belong to different
     * tenants.
     */
    private TenantKeys keys(TenantId tenantId) {
      return new TenantKeys(tenantId, keys.getOrDefault(tenantId, List.of()));
    }

    /**
     * Returns the hash that a row was found by.
     *
     * @param place its position among the wanted ones, from 1; 0 if no hash was looked up
     */
    private static Optional<KeyHash> matched(int place, List<KeyHash> wanted) {
      return place == 0 ? Optional.empty() : Optional.of(wanted.get(place - 1));
    }
  }
}
