package io.tokenvault.adapters.jdbi.snapshot;

import io.tokenvault.adapters.jdbi.audit.JdbiLogMonths;
import io.tokenvault.adapters.jdbi.schema.SchemaHistory;
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
 * <p>A snapshot starts with the version of the schema, the number of the audit log's monthly
 * partitions and their names. Parts follow, each after a byte for its kind: {@link #TABLE}, {@link
 * #SEQUENCE} or {@link #END}. Numbers and strings have the format of {@link java.io.DataOutput}.
 *
 * <ul>
 *   <li>A table: its name, the number of columns and their names; PostgreSQL's binary COPY in
 *       chunks, each after its length as an int, up to an empty chunk; the number of rows.
 *   <li>A sequence: its name and its last value as a long.
 * </ul>
 */
public final class SnapshotWriter {

  /** Kind of a part with the rows of a table. */
  static final int TABLE = 1;

  /** Kind of a part with the value of a sequence. */
  static final int SEQUENCE = 2;

  /** Kind of the last part, which has no content. */
  static final int END = 0;

  /** Maximum length of a chunk, except one that is a single longer row. */
  static final int CHUNK_BYTES = 64 * 1024;

  // Sequences are not part of the transaction's snapshot: one may be ahead of the rows, but never
  // behind them.
  private static final String SEQUENCES =
      """
      SELECT sequencename AS name, last_value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename
      """;

  private final Handle handle;
  private final DataOutputStream out;

  /**
   * Creates a writer.
   *
   * @param handle a transaction with isolation {@code REPEATABLE READ} or higher, in which no query
   *     has run
   * @param out receives the snapshot; it is flushed, and left open
   */
  public SnapshotWriter(Handle handle, OutputStream out) {
    this.handle = handle;
    this.out = new DataOutputStream(new BufferedOutputStream(out, CHUNK_BYTES));
  }

  /**
   * Writes the snapshot. Its time is that of the transaction's first statement.
   *
   * @throws UncheckedIOException if the stream cannot be written
   */
  public void write() {
    try {
      out.writeInt(SchemaHistory.version(handle));
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

  /** Writes a table. The number of rows is known only after them. */
  private void write(SnapshotTable table) throws IOException, SQLException {
    out.writeByte(TABLE);
    out.writeUTF(table.name());
    writeNames(table.columns());
    OutputStream rows = new BufferedOutputStream(new Chunks(out), CHUNK_BYTES);
    CopyManager copies = handle.getConnection().unwrap(PGConnection.class).getCopyAPI();
    long count = copies.copyOut(table.copyOut(), rows);
    rows.flush();
    out.writeInt(0);
    out.writeLong(count);
  }

  private void write(Sequence sequence) throws IOException {
    out.writeByte(SEQUENCE);
    out.writeUTF(sequence.name());
    out.writeLong(sequence.last());
  }

  /** Writes the number of some strings, then the strings. */
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

  /** Writes what arrives together as a chunk, after its length. */
  private static final class Chunks extends OutputStream {

    private final DataOutputStream out;

    Chunks(DataOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > 0) { // An empty chunk would end the table.
        out.writeInt(length);
        out.write(bytes, offset, length);
      }
    }
  }
}
