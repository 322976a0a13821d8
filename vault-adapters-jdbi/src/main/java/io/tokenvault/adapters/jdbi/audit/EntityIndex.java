package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.domain.tenant.TenantId;
import org.jdbi.v3.core.Handle;

/** The log's index by entity and type, in the form that all partitions have. */
enum EntityIndex {
  /**
   * By a hash of the tenant and the entity's id. Conditions also compare these, since two entities
   * can have one hash. The planner must not assume that this excludes further entries: it would
   * assume so few matches that it reads and sorts all of them.
   */
  HASHED(
      "audit_entity_hash(%s, %s)",
      "audit_entity_hash(tenant_id, entity_id) = audit_entity_hash(%1$s, %2$s)"
          + " AND CASE WHEN tenant_id = %1$s AND entity_id = %2$s THEN true END"),

  /** By the tenant and the id, as in logs from before schema version 15 with a large month. */
  PLAIN("%2$s", "tenant_id = %1$s AND entity_id = %2$s"),

  /** Neither; an index on the id alone serves a log from before schema version 11. */
  NONE("%2$s", "tenant_id = %1$s AND entity_id = %2$s");

  // The first part of the row comparison restricts the planner to the one index with this order.
  // The recursion starts with the empty string, which precedes all others and is searched like a
  // type that was found.
  private static final String SOURCE =
      """
      (
        WITH RECURSIVE kind (entity, entity_type) AS (
          SELECT %1$s, ''
          UNION ALL
          SELECT kind.entity, further.entity_type
          FROM kind CROSS JOIN LATERAL (
            SELECT %2$s AS entity, entity_type
            FROM audit_entry
            WHERE %3$s AND (%2$s, entity_type) > (kind.entity, kind.entity_type)
            ORDER BY %2$s, entity_type
            LIMIT 1
          ) AS further
          WHERE further.entity = kind.entity
        )
        SELECT entry.*
        FROM kind CROSS JOIN LATERAL (
          SELECT *
          FROM audit_entry
          WHERE %4$s AND entity_type = kind.entity_type
          ORDER BY %5$s
          LIMIT :offset + :limit
        ) AS entry
      ) AS audit_entry\
      """;

  private static final String VALID =
      """
      SELECT CASE
        WHEN bool_or(indexrelid = to_regclass('audit_entry_by_entity_hash')) THEN 'HASHED'
        WHEN bool_or(indexrelid = to_regclass('audit_entry_of_entity')) THEN 'PLAIN'
        ELSE 'NONE' END
      FROM pg_index WHERE indrelid = 'audit_entry'::regclass AND indisvalid
      """;

  private final String key;
  private final String condition;

  EntityIndex(String key, String condition) {
    this.key = key;
    this.condition = condition;
  }

  /** Returns the best form that all partitions have. Partitions that are created later have it. */
  static EntityIndex of(Handle handle) {
    return handle.select(VALID).mapTo(EntityIndex.class).one();
  }

  FilteredQuery filter(TenantId tenantId, String entityId) {
    return FilteredQuery.of(tenantId, condition, entityId);
  }

  /**
   * Returns the source to read an entity's entries of any type from, in place of the log: as many
   * of the newest entries of each type as the first {@code :limit} after {@code :offset} of all can
   * contain. The types are read from the index, one after the other, not taken from those that this
   * version knows: entries of other versions must be found as well.
   *
   * @param filter conditions that contain the entity's id and no type
   * @param order the order of the page
   */
  String source(TenantId tenantId, String entityId, FilteredQuery filter, String order) {
    if (this == NONE) {
      return EntryRows.TABLE;
    }
    String tenant = filter.condition("%s", tenantId.value());
    // If the id cannot be stored, this condition becomes false too, and the filter matches nothing.
    String id = "CAST(%s AS text)".formatted(filter.condition("%s", entityId));
    return SOURCE.formatted(
        key.formatted(tenant, id),
        key.formatted("tenant_id", "entity_id"),
        this == HASHED ? "TRUE" : "tenant_id = " + tenant,
        filter.sql(),
        order);
  }
}
