package io.tokenvault.adapters.jdbi.snapshot;

import io.tokenvault.adapters.jdbi.key.JdbiKeysetRegistry;
import io.tokenvault.adapters.jdbi.schema.Migrations;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.RefusedRestoreException;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms;
import io.tokenvault.domain.tenant.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Restores a snapshot as the owner: makes the schema of its version, puts everything into it in one
 * transaction, and brings the schema to this version.
 */
public final class JdbiRestore {

  /** The first version of the schema that snapshots are of. */
  private static final int FIRST = 7;

  private static final String SEALER = "audit_sealer";

  /** Nodes that start meanwhile, and commands, wait; what they would find is decided then. */
  private static final List<String> ALONE =
      List.of(
          "SET LOCAL statement_timeout = 0",
          "SELECT pg_advisory_xact_lock(hashtext('token-vault master keys'))",
          "SELECT pg_advisory_xact_lock(hashtext('token-vault sealer'))",
          "SELECT pg_advisory_xact_lock(hashtext('token-vault partitions'))",
          "LOCK TABLE tenant, audit_entry IN EXCLUSIVE MODE");

  private static final String MONTH =
      """
      SELECT make_audit_partition(to_date(right(:name, 7), 'YYYY_MM'))
      WHERE to_regclass(format('%I.%I', current_schema(), :name)) IS NULL
      """;

  private final DatabaseSettings settings;
  private final Database database;

  public JdbiRestore(DatabaseSettings settings, EntryMarks marks) {
    this.settings = settings;
    this.database = new Database(new DatabaseConnections(settings).forMigrations(), marks);
  }

  public void run(InputStream snapshot, RestoreTerms terms) {
    try {
      SnapshotReader reader = new SnapshotReader(snapshot);
      requireKnown(reader.version());
      requireNotFurther(reader.version());
      new Migrations(settings).run(String.valueOf(reader.version()));
      database.change(handle -> restore(handle, reader, terms));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    new Migrations(settings).run();
    database.longChange(this::gatherStatistics);
  }

  private static void requireKnown(int version) {
    if (version < FIRST || version > Migrations.known()) {
      throw new RefusedRestoreException(
          "The backup is of version %d of the schema; this program restores versions %d to %d."
              .formatted(version, FIRST, Migrations.known()));
    }
  }

  /** A schema cannot be brought back. */
  private void requireNotFurther(int version) {
    int current = new Migrations(settings).current();
    if (current > version) {
      throw new RefusedRestoreException(
          ("The database has version %d of the schema already, and the backup is of version %d:"
                  + " restore it into a database without tables.")
              .formatted(current, version));
    }
  }

  private static Void restore(Handle handle, SnapshotReader reader, RestoreTerms terms) {
    ALONE.forEach(handle::execute);
    List<SnapshotTable> tables = SnapshotTable.list(handle);
    requireEmpty(handle, tables);
    reader.partitions().forEach(name -> makePartition(handle, name));
    handle.execute("DELETE FROM audit_sealer");
    read(handle, reader, tables);
    // No cluster: the sealer begins anew, whichever one this is.
    handle.execute("UPDATE audit_sealer SET cluster = 0");
    EntryRows.add(handle, tenants(handle).stream().map(terms::entry).toList());
    terms.check(JdbiKeysetRegistry.within(handle));
    return null;
  }

  private static void requireEmpty(Handle handle, List<SnapshotTable> tables) {
    for (SnapshotTable table : tables) {
      if (!table.name().equals(SEALER) && !table.isEmpty(handle)) {
        throw new RefusedRestoreException(
            "The database is in use: its table "
                + table.name()
                + " is not empty. Restore into a new one.");
      }
    }
  }

  private static void makePartition(Handle handle, String name) {
    handle.createQuery(MONTH).bind("name", name).mapTo(String.class).findOne();
  }

  private static void read(Handle handle, SnapshotReader reader, List<SnapshotTable> tables) {
    try {
      reader.readInto(handle, tables);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } catch (SQLException failed) {
      throw SqlFailures.translate(new IllegalStateException(failed));
    }
  }

  private static List<TenantId> tenants(Handle handle) {
    return handle.createQuery("SELECT tenant_id FROM tenant").mapTo(UUID.class).stream()
        .map(TenantId::new)
        .toList();
  }

  private Void gatherStatistics(Handle handle) {
    SnapshotTable.list(handle).forEach(table -> handle.execute(table.analyze()));
    return null;
  }
}
