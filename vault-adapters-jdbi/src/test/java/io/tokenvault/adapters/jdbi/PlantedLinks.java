package io.tokenvault.adapters.jdbi;

/** Seals without a meaning, which name entries as the real ones do. */
public final class PlantedLinks {

  private PlantedLinks() {}

  /** Names all entries that no seal names yet. */
  public static void chainAll(TestDatabase database) {
    database.asOwner(
        """
        INSERT INTO audit_seal (tenant_id, number, times, sequences, head, mac, mac_key)
        SELECT tenant_id,
               coalesce((SELECT max(number) FROM audit_seal WHERE tenant_id = entry.tenant_id), 0)
                 + row_number() OVER (PARTITION BY tenant_id
                     ORDER BY date_trunc('month', created_at AT TIME ZONE 'UTC')),
               array_agg(created_at ORDER BY created_at, sequence),
               array_agg(sequence ORDER BY created_at, sequence),
               decode(repeat('00', 32), 'hex'), '\\x00', 1
        FROM audit_entry AS entry
        WHERE NOT EXISTS (
          SELECT FROM audit_seal
          WHERE tenant_id = entry.tenant_id AND entry.sequence = ANY (sequences))
        GROUP BY tenant_id, date_trunc('month', created_at AT TIME ZONE 'UTC')
        """);
  }

  /** An entry of another time than now. */
  public static void plant(TestDatabase database, Object tenant, String time, String message) {
    database.asOwner(
        """
        INSERT INTO audit_entry (
          tenant_id, created_at, entity_type, entity_id, operation, message)
        VALUES ('%s', '%s', 'log', '*', 'read', '%s')
        """
            .formatted(tenant, time, message));
  }
}
