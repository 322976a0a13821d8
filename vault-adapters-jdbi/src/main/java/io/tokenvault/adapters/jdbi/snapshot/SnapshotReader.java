package io.tokenvault.adapters.jdbi.snapshot;

import io.tokenvault.adapters.jdbi.stores.RefusedRestoreException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a snapshot into a database with its schema, in the order in which it was written. See
 * {@link SnapshotWriter} for the format.
 */
final class SnapshotReader {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotReader.class);

  private final DataInputStream in;
  private final int version;
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

  /** Returns the version of the snapshot's schema. */
  int version() {
    return version;
  }

  /** Returns the names of the audit log's partitions: {@code audit_entry_YYYY_MM}. */
  List<String> partitions() {
    return partitions;
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
        throw new IOException("the snapshot has a part of an unknown kind");
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
    LOG.warn("{} rows of {}, which is no table of the vault's, stay away", in.readLong(), name);
  }

  /** Sets a sequence to its last value, if the schema has it. */
  private void readSequence(Handle handle) throws IOException {
    String name = in.readUTF();
    long last = in.readLong();
    handle
        .createQuery(
            """
            SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, :last)
            FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = :name
            """)
        .bind("last", last)
        .bind("name", name)
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
