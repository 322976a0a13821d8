package io.tokenvault.server.e2e.guarantee;

import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.faults.SmallDisk;
import java.io.IOException;

/** A full file system in memory that holds a partition of the audit log. Requires root. */
public final class FullDisk implements AutoCloseable {

  private static final String PARTITION =
      """
      SELECT c.oid::regclass FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = 'audit_entry'::regclass AND EXISTS (
        SELECT 1 FROM audit_entry e WHERE e.tableoid = c.oid) LIMIT 1
      """;

  private static final int MEBIBYTES = 16;

  private final FaultyVault faulty;
  private final SmallDisk disk;
  private final String partition;

  private FullDisk(FaultyVault faulty, SmallDisk disk, String partition) {
    this.faulty = faulty;
    this.disk = disk;
    this.partition = partition;
  }

  /** Moves the current partition of the audit log to a full disk. */
  public static FullDisk ofAuditLog(FaultyVault faulty) {
    return Unchecked.get(
        () -> {
          SmallDisk disk = SmallDisk.mount(MEBIBYTES);
          FullDisk full = new FullDisk(faulty, disk, faulty.runSql(PARTITION).get(0));
          full.moveAndFill();
          return full;
        });
  }

  private void moveAndFill() throws IOException {
    faulty.runSql("CREATE TABLESPACE small LOCATION '" + disk.directory() + "'");
    faulty.runSql("ALTER TABLE " + partition + " SET TABLESPACE small");
    // Otherwise reads would free the space of rolled-back rows.
    faulty.runSql("VACUUM " + partition);
    disk.fill();
    fillExistingPages();
  }

  /** Fills existing pages of the table and its indexes, which can still take small rows. */
  private void fillExistingPages() {
    faulty.runSql(
        """
        DO $$
        DECLARE failed integer := 0;
        BEGIN
          WHILE failed < 200 LOOP
            BEGIN
              INSERT INTO audit_entry (
                tenant_id, created_at, actor_type, entity_type, entity_id, operation, message)
              VALUES (gen_random_uuid(), clock_timestamp(), '', '', '', '', '');
              failed := 0;
            EXCEPTION WHEN disk_full THEN
              failed := failed + 1;
            END;
          END LOOP;
        END $$
        """);
  }

  @Override
  public void close() throws IOException {
    disk.freeSpace();
    faulty.runSql("ALTER TABLE " + partition + " SET TABLESPACE pg_default");
    faulty.runSql("DROP TABLESPACE small");
    disk.close();
  }
}
