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

/** Reads a snapshot into a database of its schema, in the order in which it was written. */
final class SnapshotReader {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotReader.class);

  private final DataInputStream in;
  private final int version;
  private final List<String> partitions;

  SnapshotReader(InputStream in) throws IOException {
    this.in = new DataInputStream(in);
    this.version = this.in.readInt();
    this.partitions = readNames();
  }

  /** Of the schema. */
  int version() {
    return version;
  }

  /** Of the log: {@code audit_entry_YYYY_MM}. */
  List<String> partitions() {
    return partitions;
  }

  private List<String> readNames() throws IOException {
    int count = in.readInt();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(in.readUTF());
    }
    return names;
  }

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

  private void skip(String name) throws IOException {
    new ChunkedInput(in).transferTo(OutputStream.nullOutputStream());
    LOG.warn("{} rows of {}, which is no table of the vault's, stay away", in.readLong(), name);
  }

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

  /** Reads what a {@link SnapshotWriter} wrote, up to its end. */
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
