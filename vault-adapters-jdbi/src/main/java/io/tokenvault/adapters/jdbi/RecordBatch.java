package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.spi.Versions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Entries of several calls, each on its own condition, in one statement that commits by itself. It
 * sees one moment (READ COMMITTED), so that all versions of a call hold together at that moment, or
 * none of its entries is written; that is enough, since whoever changes something later changes it
 * after the entry.
 */
final class RecordBatch {

  // A subquery for each thing: the planner may not read a table for a few of its rows.
  private static final String STALE =
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
        END
      """
          .formatted(Expiry.UNEXPIRED);

  private static final String STATEMENT =
      "WITH stale AS MATERIALIZED (\n"
          + STALE
          + "), written AS (\n"
          + Entries.INSERT
          + """
          WHERE (:conditions::integer[])[place::integer] NOT IN (SELECT condition FROM stale)
          """
          + Entries.IN_ORDER
          + "\n)\nSELECT condition FROM stale";

  private final List<AuditEntry> entries = new ArrayList<>();
  private final List<Integer> conditions = new ArrayList<>();
  private final Map<Versions, Integer> numbers = new LinkedHashMap<>();
  private final List<Integer> ofRecords = new ArrayList<>();
  private final Wanted wanted = new Wanted();

  RecordBatch(List<PendingRecord> records) {
    records.forEach(this::add);
    numbers.forEach(wanted::add);
  }

  /** Calls that decided on the same share a condition. */
  private void add(PendingRecord pending) {
    int number = numbers.computeIfAbsent(pending.versions(), unused -> numbers.size());
    ofRecords.add(number);
    entries.addAll(pending.entries());
    conditions.addAll(Collections.nCopies(pending.entries().size(), number));
  }

  /** Writes what holds, and gives for each record whether it does, in their order. */
  List<Boolean> write(Handle handle) {
    Query query = Entries.bind(handle.createQuery(STATEMENT), entries);
    query.bind("conditions", SqlValues.integers(conditions));
    Set<Integer> stale = new HashSet<>(wanted.bind(query).mapTo(Integer.class).list());
    return ofRecords.stream().map(number -> !stale.contains(number)).toList();
  }

  /** What conditions are made of, in columns. */
  private static final class Wanted {

    private final List<Integer> conditions = new ArrayList<>();
    private final List<String> kinds = new ArrayList<>();
    private final List<UUID> tenants = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final List<Long> versions = new ArrayList<>();

    void add(Versions all, int condition) {
      UUID tenant = all.tenantId().value();
      all.applications()
          .forEach((id, version) -> add(condition, "application", tenant, id.toString(), version));
      all.proxies()
          .forEach((id, version) -> add(condition, "proxy", tenant, id.toString(), version));
      all.tokens().forEach((id, version) -> add(condition, "token", tenant, id.value(), version));
      all.egress().ifPresent(version -> add(condition, "egress", tenant, null, version));
      if (all.keys()) {
        add(condition, "keys", tenant, null, 1);
      }
    }

    private void add(int condition, String kind, UUID tenant, String id, long version) {
      conditions.add(condition);
      kinds.add(kind);
      tenants.add(tenant);
      ids.add(id);
      versions.add(version);
    }

    Query bind(Query query) {
      return query
          .bind("wantedConditions", SqlValues.integers(conditions))
          .bind("wantedKinds", SqlValues.texts(kinds))
          .bind("wantedTenants", SqlValues.uuids(tenants))
          .bind("wantedIds", SqlValues.texts(ids))
          .bind("wantedVersions", SqlValues.numbers(versions));
    }
  }
}
