package io.tokenvault.adapters.jdbi.snapshot;

import io.tokenvault.adapters.jdbi.key.JdbiKeysetRegistry;
import io.tokenvault.adapters.jdbi.schema.Migrations;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.Database.SharedTransaction;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms.RefusedRestoreException;
import io.tokenvault.domain.tenant.TenantId;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores a snapshot with the rights of the tables' owner: migrates the schema to the version of
 * the snapshot, inserts all rows in one transaction, and migrates to this version.
 */
public final class JdbiRestore {

  /** The oldest version of the schema that has snapshots. */
  private static final int OLDEST_VERSION = 7;

  /** The table of the hash chains' progress, which has a row even in an empty database. */
  private static final String SEALER = "audit_sealer";

  /** Locks that make starting nodes and commands wait until the restore is decided. */
  private static final List<String> LOCKS =
      List.of(
          "SET LOCAL statement_timeout = 0",
          "SELECT pg_advisory_xact_lock(hashtext('token-vault master keys'))",
          "SELECT pg_advisory_xact_lock(hashtext('token-vault sealer'))",
          "SELECT pg_advisory_xact_lock(hashtext('token-vault partitions'))",
          "LOCK TABLE tenant, audit_entry IN EXCLUSIVE MODE");

  /** Creates a monthly partition unless it exists. */
  private static final String CREATE_PARTITION =
      """
      SELECT make_audit_partition(to_date(right(:name, 7), 'YYYY_MM'))
      WHERE to_regclass(format('%I.%I', current_schema(), :name)) IS NULL
      """;

  private final Migrations migrations;
  private final Database database;

  /**
   * Creates a restore.
   *
   * @param settings the database to restore into
   * @param marks the source of ids and MACs for the entries that record the restore
   */
  public JdbiRestore(DatabaseSettings settings, EntryMarks marks) {
    DatabaseConnections connections = new DatabaseConnections(settings);
    this.migrations = new Migrations(connections);
    this.database = new Database(connections.forMigrations(), marks);
  }

  /**
   * Restores a snapshot completely, or not at all except for the schema.
   *
   * @param snapshot a snapshot that {@link SnapshotWriter} wrote
   * @param terms the conditions for committing the restore
   * @throws RefusedRestoreException if the database has content, or the snapshot's schema is
   *     unknown
   * @throws UncheckedIOException if the snapshot cannot be read to its end
   */
  public void run(InputStream snapshot, RestoreTerms terms) {
    try {
      SnapshotReader reader = new SnapshotReader(snapshot);
      requireKnown(reader.version);
      requireNotNewer(reader.version);
      migrations.run(reader.version);
      database.change(handle -> restore(handle, reader, terms));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    migrations.run();
    database.longChange(this::gatherStatistics);
  }

  /** Checks that this version can migrate from the snapshot's schema. */
  private static void requireKnown(int version) {
    if (version < OLDEST_VERSION || version > Migrations.NEEDED_VERSION) {
      throw new RefusedRestoreException(
          "The backup has schema version %s; this release restores versions %s to %s."
              .formatted(version, OLDEST_VERSION, Migrations.NEEDED_VERSION));
    }
  }

  /**
   * Checks that the schema is not newer than the snapshot's, since migrations cannot be reverted.
   */
  private void requireNotNewer(int version) {
    int current = migrations.current();
    if (current > version) {
      throw new RefusedRestoreException(
          ("The database already has schema version %s, and the backup has version %s: restore"
                  + " into a database without tables.")
              .formatted(current, version));
    }
  }

  /** Inserts all rows and the audit entries, and checks the terms, within one transaction. */
  private Void restore(Handle handle, SnapshotReader reader, RestoreTerms terms) {
    LOCKS.forEach(handle::execute);
    List<SnapshotTable> tables = SnapshotTable.list(handle);
    requireEmpty(handle, tables);
    for (String name : reader.partitions) {
      // The function creates the partition.
      handle.createQuery(CREATE_PARTITION).bind("name", name).mapTo(String.class).findOne();
    }
    handle.execute("DELETE FROM audit_sealer");
    read(handle, reader, tables);
    // No cluster has the number 0, so the hash chains start with this cluster, whichever it is.
    handle.execute("UPDATE audit_sealer SET cluster = 0");
    EntryRows.add(handle, tenants(handle).stream().map(terms::entry).toList());
    SharedTransaction shared = new SharedTransaction();
    return shared.within(
        handle,
        unused -> {
          terms.check(new JdbiKeysetRegistry(database.sharing(shared)));
          return null;
        });
  }

  /** Checks that all tables but that of the hash chains' progress are empty. */
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

  /** Inserts the rows of the snapshot, and translates failures. */
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

  /** Analyzes all tables, since the planner would otherwise assume that they are still empty. */
  private Void gatherStatistics(Handle handle) {
    SnapshotTable.list(handle).forEach(table -> handle.execute(table.analyze()));
    return null;
  }

  /**
   * Reads a snapshot into a database with its schema, in the order in which it was written. See
   * {@link SnapshotWriter} for the format.
   */
  private static final class SnapshotReader {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotReader.class);

    private final DataInputStream in;
    private final int version;
    // The names of the audit log's partitions: audit_entry_YYYY_MM.
    private final List<String> partitions;

    /**
     * Reads the start of a snapshot, up to its first table.
     *
     * @throws IOException if the stream ends or cannot be read
     */
    SnapshotReader(InputStream in) throws IOException {
      this.in = new DataInputStream(in);
      this.version = this.in.readInt();
      this.partitions = readNames();
    }

    /** Reads a number, then so many strings. */
    private List<String> readNames() throws IOException {
      int count = in.readInt();
      List<String> names = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        names.add(in.readUTF());
      }
      return names;
    }

    /**
     * Inserts all rows and sets all sequences.
     *
     * @param tables the tables of the database; others in the snapshot are skipped
     * @throws IOException if the snapshot is truncated or malformed
     * @throws RefusedRestoreException if a table's columns differ from the snapshot's
     */
    void readInto(Handle handle, List<SnapshotTable> tables) throws IOException, SQLException {
      Map<String, SnapshotTable> known =
          tables.stream().collect(Collectors.toMap(SnapshotTable::name, Function.identity()));
      for (int part = in.readByte(); part != SnapshotWriter.END; part = in.readByte()) {
        if (part == SnapshotWriter.TABLE) {
          readTable(handle, known);
        } else if (part == SnapshotWriter.SEQUENCE) {
          readSequence(handle);
        } else {
          throw new IOException("the snapshot has a part of an unknown type");
        }
      }
    }

    /** Copies the rows of one table and checks their number. */
    private void readTable(Handle handle, Map<String, SnapshotTable> known)
        throws IOException, SQLException {
      String name = in.readUTF();
      List<String> columns = readNames();
      SnapshotTable table = known.get(name);
      if (table == null) {
        skip(name);
        return;
      }
      if (!table.columns().equals(columns)) {
        throw new RefusedRestoreException(
            "The backup's table " + name + " has other columns than this schema's.");
      }
      long copied =
          handle
              .getConnection()
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn(table.copyIn(), new ChunkedInput(in), SnapshotWriter.CHUNK_BYTES);
      if (copied != in.readLong()) {
        throw new IOException("rows are missing");
      }
    }

    /** Skips the rows of a table that this schema does not have, with a warning in the log. */
    private void skip(String name) throws IOException {
      new ChunkedInput(in).transferTo(OutputStream.nullOutputStream());
      LOG.warn("Skipped {} rows of unknown table {}", in.readLong(), name);
    }

    /** Sets a sequence to its last value, if the schema has it. */
    private void readSequence(Handle handle) throws IOException {
      String name = in.readUTF();
      long last = in.readLong();
      handle
          .select(
              """
              SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, ?)
              FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = ?
              """,
              last, name)
          .mapTo(Long.class)
          .findOne();
    }

    /** Reads the chunks that {@link SnapshotWriter} wrote, up to the empty one. */
    private static final class ChunkedInput extends InputStream {

      private final DataInputStream in;
      private int left;
      private boolean ended;

      ChunkedInput(DataInputStream in) {
        this.in = in;
      }

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        if (left == 0 && !ended) {
          left = in.readInt();
          ended = left == 0;
        }
        if (ended) {
          return -1;
        }
        int part = Math.min(length, left);
        in.readFully(bytes, offset, part);
        left -= part;
        return part;
      }
    }
  }
}
