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

/** What decisions were based on, in columns, and the query for those that do not hold any more. */
public final class Conditions {

  /**
   * The numbers of the conditions that do not hold. With a subquery for each thing, so that the
   * planner cannot read a whole table for a few of its rows.
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
          .formatted(ExpiryCondition.UNEXPIRED);

  private final Map<Preconditions, Integer> numbers = new HashMap<>();
  private final List<Integer> conditions = new ArrayList<>();
  private final List<String> kinds = new ArrayList<>();
  private final List<UUID> tenants = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<Long> versions = new ArrayList<>();

  /** A condition alone. */
  public static Conditions of(Preconditions all) {
    Conditions conditions = new Conditions();
    conditions.number(all);
    return conditions;
  }

  /** Returns the number of a condition; callers that decided on the same share one. */
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
        .ifPresent(
            end ->
                add(
                    condition,
                    "until",
                    tenant,
                    null,
                    ChronoUnit.MICROS.between(Instant.EPOCH, end)));
    all.keyCount().ifPresent(count -> add(condition, "key count", tenant, null, count));
  }

  private void add(int condition, String kind, UUID tenant, String id, long version) {
    conditions.add(condition);
    kinds.add(kind);
    tenants.add(tenant);
    ids.add(id);
    versions.add(version);
  }

  public <S extends SqlStatement<S>> S bind(S statement) {
    return statement
        .bind("wantedConditions", SqlValues.integers(conditions))
        .bind("wantedKinds", SqlValues.texts(kinds))
        .bind("wantedTenants", SqlValues.uuids(tenants))
        .bind("wantedIds", SqlValues.texts(ids))
        .bind("wantedVersions", SqlValues.numbers(versions));
  }

  /** Whether all of them hold now. */
  public boolean hold(Handle handle) {
    return conditions.isEmpty()
        || bind(handle.createQuery(STALE)).mapTo(Integer.class).list().isEmpty();
  }
}
