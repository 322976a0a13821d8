package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.store.Preconditions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Preconditions of decisions as columns of a query, and the query for those that no longer hold.
 *
 * <p>A decision is based on versions of applications, proxies and tokens, on the tenant's egress
 * policy and keys, and on a time. Each distinct set of preconditions gets a number, so that one
 * query can check the decisions of many calls:
 *
 * <pre>{@code
 * Conditions wanted = new Conditions();
 * int number = wanted.number(preconditions);
 * Query query = wanted.bind(handle.createQuery(Conditions.STALE));
 * boolean holds = !query.mapTo(Integer.class).set().contains(number);
 * }</pre>
 *
 * <p>Instances are not safe for use by several threads.
 */
public final class Conditions {

  /**
   * Selects the numbers of the preconditions that no longer hold. Uses a subquery for each kind of
   * record, so that the planner cannot scan a whole table for a few of its rows. A record that is
   * gone or expired has no version and therefore counts as changed.
   */
  public static final String STALE =
      """
      SELECT DISTINCT condition
      FROM unnest(
          :wantedConditions::integer[], :wantedKinds::text[], :wantedTenants::uuid[],
          :wantedIds::text[], :wantedVersions::bigint[])
        AS wanted (condition, kind, tenant, id, number)
      WHERE number IS DISTINCT FROM CASE kind
        WHEN 'application' THEN (
          SELECT version FROM application
          WHERE tenant_id = tenant AND application_id = wanted.id::uuid AND %1$s)
        WHEN 'proxy' THEN (
          SELECT version FROM proxy WHERE tenant_id = tenant AND proxy_id = wanted.id::uuid)
        WHEN 'token' THEN (
          SELECT version FROM token WHERE tenant_id = tenant AND token_id = wanted.id AND %1$s)
        WHEN 'egress' THEN (SELECT egress_version FROM tenant AS owner WHERE tenant_id = tenant)
        WHEN 'keys' THEN (SELECT 1 FROM tenant_key WHERE tenant_id = tenant LIMIT 1)
        WHEN 'until' THEN CASE WHEN number > extract(epoch FROM now()) * 1000000 THEN number END
        WHEN 'key count' THEN (SELECT count(*) FROM tenant_key WHERE tenant_id = tenant)
        END
      """
          .formatted(StoredColumns.UNEXPIRED);

  private final Map<Preconditions, Integer> numbers = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();

  /** Returns conditions that contain one set of preconditions. */
  public static Conditions of(Preconditions all) {
    Conditions conditions = new Conditions();
    conditions.number(all);
    return conditions;
  }

  /** Adds preconditions and returns their number, from 0. Equal preconditions share a number. */
  public int number(Preconditions versions) {
    Integer known = numbers.get(versions);
    if (known != null) {
      return known;
    }
    int condition = numbers.size();
    numbers.put(versions, condition);
    add(versions, condition);
    return condition;
  }

  /**
   * Adds one row for each version, and one for each further requirement. Times are microseconds
   * since the epoch.
   */
  private void add(Preconditions all, int condition) {
    UUID tenant = all.tenantId().value();
    all.applications()
        .forEach((id, version) -> add(condition, "application", tenant, id.toString(), version));
    all.proxies().forEach((id, version) -> add(condition, "proxy", tenant, id.toString(), version));
    all.tokens().forEach((id, version) -> add(condition, "token", tenant, id.value(), version));
    all.egress().ifPresent(version -> add(condition, "egress", tenant, null, version));
    if (all.keys()) {
      add(condition, "keys", tenant, null, 1);
    }
    all.until()
        .map(end -> ChronoUnit.MICROS.between(Instant.EPOCH, end))
        .ifPresent(micros -> add(condition, "until", tenant, null, micros));
    all.keyCount().ifPresent(count -> add(condition, "key count", tenant, null, count));
  }

  private void add(int condition, String kind, UUID tenant, String id, long version) {
    rows.add(new Row(condition, kind, tenant, id, version));
  }

  /** Binds the parameters of {@link #STALE}, which may be a part of the statement. */
  public <S extends SqlStatement<S>> S bind(S statement) {
    return statement
        .bind("wantedConditions", SqlValues.integers(rows, Row::condition))
        .bind("wantedKinds", SqlValues.texts(rows, Row::kind))
        .bind("wantedTenants", SqlValues.uuids(rows, Row::tenant))
        .bind("wantedIds", SqlValues.texts(rows, Row::id))
        .bind("wantedVersions", SqlValues.numbers(rows, Row::version));
  }

  /** Returns whether all preconditions hold in the transaction of the handle. */
  public boolean hold(Handle handle) {
    return rows.isEmpty() || bind(handle.createQuery(STALE)).mapTo(Integer.class).list().isEmpty();
  }

  /** One requirement of the preconditions with a number. */
  private record Row(int condition, String kind, UUID tenant, String id, long version) {}
}
