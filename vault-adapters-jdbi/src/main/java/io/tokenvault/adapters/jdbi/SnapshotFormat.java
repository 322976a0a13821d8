package io.tokenvault.adapters.jdbi;

/**
 * How a snapshot is written: the version of the schema; the number of the log's months and their
 * partitions; parts, each behind a byte that says what it is. Numbers and names are those of {@link
 * java.io.DataOutput}. Of a table: name, number of columns, columns; PostgreSQL's binary COPY in
 * chunks behind their lengths, up to an empty one; the number of rows. Of a sequence: name and last
 * value.
 */
final class SnapshotFormat {

  static final int TABLE = 1;
  static final int SEQUENCE = 2;
  static final int END = 0;

  static final int CHUNK_BYTES = 64 * 1024;

  private SnapshotFormat() {}
}
