package io.tokenvault.engine.wire;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodings of the fields of a message.
 *
 * <p>Numbers are big-endian. Strings and byte arrays follow their length in bytes, lists and maps
 * their number of entries, each in four bytes.
 */
final class MessageFields {

  private MessageFields() {}

  /** Writes one value of a list or map. */
  interface Writer<T> {
    void write(DataOutputStream out, T value) throws IOException;
  }

  /** Reads one value of a list or map. */
  interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  /** Writes a string in UTF-8. */
  static void text(DataOutputStream out, String text) throws IOException {
    bytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads a string in UTF-8.
   *
   * @throws IOException if its length exceeds the message
   */
  static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] bytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[count(in)];
    in.readFully(bytes);
    return bytes;
  }

  /**
   * Reads a length or number of entries and checks it against the rest of the message, so that a
   * hostile worker cannot cause a large allocation.
   */
  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available()) {
      throw new IOException("a count is larger than its message");
    }
    return count;
  }

  static <T> void list(DataOutputStream out, List<T> values, Writer<T> writer) throws IOException {
    out.writeInt(values.size());
    for (T value : values) {
      writer.write(out, value);
    }
  }

  static <T> List<T> list(DataInputStream in, Reader<T> reader) throws IOException {
    List<T> values = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      values.add(reader.read(in));
    }
    return values;
  }

  static <T> void map(DataOutputStream out, Map<String, T> values, Writer<T> writer)
      throws IOException {
    out.writeInt(values.size());
    for (Map.Entry<String, T> entry : values.entrySet()) {
      text(out, entry.getKey());
      writer.write(out, entry.getValue());
    }
  }

  static <T> Map<String, T> map(DataInputStream in, Reader<T> reader) throws IOException {
    Map<String, T> values = new LinkedHashMap<>();
    for (int left = count(in); left > 0; left--) {
      values.put(text(in), reader.read(in));
    }
    return values;
  }

  /**
   * Reads an enum constant, which is encoded as its position in one byte.
   *
   * @throws IOException if there is no such constant
   */
  static <E extends Enum<E>> E constant(DataInputStream in, E[] all) throws IOException {
    int ordinal = in.readUnsignedByte();
    if (ordinal >= all.length) {
      throw new IOException("a message names no constant");
    }
    return all[ordinal];
  }
}
