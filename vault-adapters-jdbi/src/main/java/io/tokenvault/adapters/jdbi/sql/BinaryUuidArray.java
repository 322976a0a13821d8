package io.tokenvault.adapters.jdbi.sql;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PreferQueryMode;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A parameter of type {@code uuid[]}, possibly with nulls, in PostgreSQL's binary format.
 *
 * <p>The driver sends its own arrays of UUIDs as text, which takes the server ten times as long to
 * read.
 */
final class BinaryUuidArray extends PGobject implements PGBinaryObject {

  private static final long serialVersionUID = 1L;

  // Dimensions, whether there are nulls, element type, length, and number of the first element.
  private static final int HEAD = 5 * Integer.BYTES;
  private static final int UUID_BYTES = 2 * Long.BYTES;
  private static final int NULL = -1;

  private final transient UUID[] values;

  BinaryUuidArray(UUID[] values) {
    this.values = values;
    setType("_uuid");
  }

  /**
   * Makes a connection send such arrays in binary.
   *
   * @return false if it cannot: it is of another driver, or its options ask for text only
   */
  static boolean enable(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(BaseConnection.class)) {
      return false;
    }
    BaseConnection postgres = connection.unwrap(BaseConnection.class);
    if (postgres.getPreferQueryMode() == PreferQueryMode.SIMPLE
        || !postgres.binaryTransferSend(Oid.UUID)) {
      return false;
    }
    postgres.getQueryExecutor().addBinarySendOid(Oid.UUID_ARRAY);
    return true;
  }

  @Override
  public int lengthInBytes() {
    int length = HEAD;
    for (UUID each : values) {
      length += each == null ? Integer.BYTES : Integer.BYTES + UUID_BYTES;
    }
    return length;
  }

  @Override
  public void toBytes(byte[] target, int offset) {
    ByteBuffer out = ByteBuffer.wrap(target, offset, lengthInBytes());
    out.putInt(1).putInt(1).putInt(Oid.UUID).putInt(values.length).putInt(1);
    for (UUID each : values) {
      if (each == null) {
        out.putInt(NULL);
      } else {
        out.putInt(UUID_BYTES)
            .putLong(each.getMostSignificantBits())
            .putLong(each.getLeastSignificantBits());
      }
    }
  }

  @Override
  public void setByteValue(byte[] value, int offset) throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("arrays of UUIDs are only sent");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BinaryUuidArray array && Arrays.equals(values, array.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }
}
