package io.tokenvault.adapters.jdbi.snapshot;

import io.tokenvault.adapters.jdbi.audit.JdbiLogMonths;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * Writes all rows that one transaction sees.
 *
 * <p>A snapshot has the version of the schema; the number of the log's months and their partitions;
 * parts, each behind a byte that says what it is. Numbers and names are those of {@link
 * java.io.DataOutput}. Of a table: name, number of columns, columns; PostgreSQL's binary COPY in
 * chunks behind their lengths, up to an empty one; the number of rows. Of a sequence: name and last
 * value.
 */
public final class SnapshotWriter {

  static final int TABLE = 1;
  static final int SEQUENCE = 2;
  static final int END = 0;

  static final int CHUNK_BYTES = 64 * 1024;

  private static final String VERSION =
      """
      SELECT max(CAST(version AS integer)) FROM vault_schema_history
      WHERE success AND version IS NOT NULL
      """;

  // Not of one moment: a sequence may be further than the rows are, and never is behind them.
  private static final String SEQUENCES =
      """
      SELECT sequencename AS name, last_value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename
      """;

  private final Handle handle;
  private final DataOutputStream out;

  public SnapshotWriter(Handle handle, OutputStream out) {
    this.handle = handle;
    this.out = new DataOutputStream(new BufferedOutputStream(out, CHUNK_BYTES));
  }

  /** The first statement takes the moment. */
  public void write() {
    try {
      out.writeInt(handle.createQuery(VERSION).mapTo(Integer.class).one());
      writeNames(JdbiLogMonths.partitions(handle));
      for (SnapshotTable table : SnapshotTable.list(handle)) {
        write(table);
      }
      for (Sequence sequence : handle.createQuery(SEQUENCES).map(Sequence::read).list()) {
        write(sequence);
      }
      out.writeByte(END);
      out.flush();
    } catch (IOException takesNoMore) {
      throw new UncheckedIOException(takesNoMore);
    } catch (SQLException failed) {
      throw SqlFailures.translate(new IllegalStateException(failed));
    }
  }

  private void write(SnapshotTable table) throws IOException, SQLException {
    out.writeByte(TABLE);
    out.writeUTF(table.name());
    writeNames(table.columns());
    ChunkedOutput rows = new ChunkedOutput(out);
    CopyManager copies = handle.getConnection().unwrap(PGConnection.class).getCopyAPI();
    long count = copies.copyOut(table.copyOut(), rows);
    rows.end();
    out.writeLong(count);
  }

  private void write(Sequence sequence) throws IOException {
    out.writeByte(SEQUENCE);
    out.writeUTF(sequence.name());
    out.writeLong(sequence.last());
  }

  private void writeNames(List<String> names) throws IOException {
    out.writeInt(names.size());
    for (String name : names) {
      out.writeUTF(name);
    }
  }

  private record Sequence(String name, long last) {
    static Sequence read(ResultSet row, StatementContext context) throws SQLException {
      return new Sequence(row.getString("name"), row.getLong("last_value"));
    }
  }

  /** Writes bytes of an unknown number in chunks behind their lengths. */
  private static final class ChunkedOutput extends OutputStream {

    private final DataOutputStream out;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int filled;

    ChunkedOutput(DataOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int written = 0;
      while (written < length) {
        if (filled == chunk.length) {
          writeChunk();
        }
        int part = Math.min(length - written, chunk.length - filled);
        System.arraycopy(bytes, offset + written, chunk, filled, part);
        filled += part;
        written += part;
      }
    }

    private void writeChunk() throws IOException {
      if (filled > 0) {
        out.writeInt(filled);
        out.write(chunk, 0, filled);
        filled = 0;
      }
    }

    /** Nothing follows. */
    void end() throws IOException {
      writeChunk();
      out.writeInt(0);
    }
  }
}
