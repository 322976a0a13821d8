package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.QueryFilter;
import io.tokenvault.domain.tenant.TenantId;
import org.jdbi.v3.core.Handle;

/**
 * Finds the entries of one entity, whatever their types.
 *
 * <p>The log's index has the entries of an entity and type in order. The types are also read from
 * the index, one after the other, not taken from those that this version knows: entries of other
 * versions must be found as well.
 */
final class EntityEntries {

  // The first part of the row comparison restricts the planner to the one index with this order.
  // The recursion starts with the empty string, which precedes all others and is searched like a
  // type that was found.
  private static final String SOURCE =
      """
      (
        WITH RECURSIVE kind (entity_id, entity_type) AS (
          SELECT CAST(%1$s AS text), ''
          UNION ALL
          SELECT kind.entity_id, further.entity_type
          FROM kind CROSS JOIN LATERAL (
            SELECT entity_id, entity_type
            FROM audit_entry
            WHERE %2$s AND (entity_id, entity_type) > (kind.entity_id, kind.entity_type)
            ORDER BY entity_id, entity_type
            LIMIT 1
          ) AS further
          WHERE further.entity_id = kind.entity_id
        )
        SELECT entry.*
        FROM kind CROSS JOIN LATERAL (
          SELECT *
          FROM audit_entry
          WHERE %3$s AND entity_type = kind.entity_type
          ORDER BY %4$s
          LIMIT :offset + :limit
        ) AS entry
      ) AS audit_entry""";

  /** Selects whether all partitions have the index. */
  private static final String INDEXED =
      """
      SELECT EXISTS (
        SELECT FROM pg_index
        WHERE indexrelid = to_regclass('audit_entry_of_entity') AND indisvalid)
      """;

  private volatile boolean indexed;

  /**
   * Returns the source to read from in place of the log: as many of the newest entries of each type
   * as the first {@code :limit} after {@code :offset} of all can contain. As long as partitions
   * lack the index, this is the log itself; those partitions have an older index on the entity
   * alone.
   *
   * @param filter conditions that contain the entity's id and no type
   * @param order the order of the page
   */
  String source(
      Handle handle, TenantId tenantId, String entityId, QueryFilter filter, String order) {
    return isIndexed(handle) ? source(tenantId, entityId, filter, order) : EntryRows.TABLE;
  }

  /** Returns whether all partitions have the index. Once they do, later ones have it too. */
  private boolean isIndexed(Handle handle) {
    if (!indexed) {
      indexed = handle.select(INDEXED).mapTo(Boolean.class).one();
    }
    return indexed;
  }

  private static String source(
      TenantId tenantId, String entityId, QueryFilter filter, String order) {
    // If the id cannot be stored, this condition becomes false too, and the filter matches nothing.
    return SOURCE.formatted(
        filter.condition("%s", entityId),
        filter.condition("tenant_id = %s", tenantId.value()),
        filter.sql(),
        order);
  }
}
