package io.tokenvault.adapters.jdbi.sql;

import java.nio.ByteBuffer;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.postgresql.core.Oid;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A parameter of type {@code uuid[]}, possibly with nulls, in PostgreSQL's binary format.
 *
 * <p>The driver sends its own arrays of UUIDs as text, which takes the server ten times as long to
 * read. Connections need {@link #BINARY}; without it, this array is text, too.
 */
final class UuidArray extends PGobject implements PGBinaryObject {

  /**
   * The value of {@code binaryTransferEnable} with which the driver sends such arrays in binary.
   */
  static final String BINARY = "UUID_ARRAY";

  private static final long serialVersionUID = 1L;

  // Dimensions, whether there are nulls, element type, length, and number of the first element.
  private static final int HEAD = 5 * Integer.BYTES;
  private static final int UUID_BYTES = 2 * Long.BYTES;
  private static final int NULL = -1;

  private final transient UUID[] values;

  UuidArray(UUID[] values) {
    this.values = values;
    setType("_uuid");
  }

  @Override
  public boolean isNull() {
    return false;
  }

  @Override
  public String getValue() {
    return Arrays.stream(values)
        .map(each -> Objects.toString(each, "NULL"))
        .collect(Collectors.joining(",", "{", "}"));
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
    return other instanceof UuidArray array && Arrays.equals(values, array.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }
}
