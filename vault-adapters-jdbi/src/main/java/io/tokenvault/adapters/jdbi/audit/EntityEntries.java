package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.QueryFilter;
import io.tokenvault.domain.tenant.TenantId;
import org.jdbi.v3.core.Handle;

/**
 * The entries of one entity, of whatever types. The log's index has an entity's entries of each
 * type in order; which types there are is asked of the index too, one after the other, and not of
 * those that this version knows: entries of others are read as well.
 */
final class EntityEntries {

  // The first part of a row comparison is what keeps to the one index that has this order. No text
  // is before the empty one, which is looked for like a type that was found.
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

  private static final String INDEXED =
      """
      SELECT EXISTS (
        SELECT FROM pg_index
        WHERE indexrelid = to_regclass('audit_entry_of_entity') AND indisvalid)
      """;

  private volatile boolean indexed;

  /**
   * SQL to read from instead of the log: as many of the newest entries of each type as the first
   * {@code :limit} after {@code :offset} of all can have. It is the log itself as long as months of
   * it are without the index: they have one that serves the entity alone.
   *
   * @param filter names the entity and no type
   */
  String source(
      Handle handle, TenantId tenantId, String entityId, QueryFilter filter, String order) {
    return isIndexed(handle) ? source(tenantId, entityId, filter, order) : EntryRows.TABLE;
  }

  /** Once all months have it, those to come have it too. */
  private boolean isIndexed(Handle handle) {
    if (!indexed) {
      indexed = handle.select(INDEXED).mapTo(Boolean.class).one();
    }
    return indexed;
  }

  private static String source(
      TenantId tenantId, String entityId, QueryFilter filter, String order) {
    // An id that cannot be stored is none here too; the filter lets nothing through then.
    return SOURCE.formatted(
        filter.condition("%s", entityId),
        filter.condition("tenant_id = %s", tenantId.value()),
        filter.sql(),
        order);
  }
}
