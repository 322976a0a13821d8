package io.tokenvault.engine.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Encodings of the fields of a message.
 *
 * <p>Numbers are big-endian. Strings and byte arrays follow their length in bytes, lists and maps
 * their number of entries, each in four bytes. A constant of an enum is its position in one byte.
 */
final class MessageFields {

  private MessageFields() {}

  /** A message that is written field by field. */
  static final class Output extends ByteArrayOutputStream {

    /** Creates a message with room for its length, which is set at the end. */
    Output() {
      super(1024);
      number(0);
    }

    /** Writes the byte that identifies a type. */
    Output type(char type) {
      write(type);
      return this;
    }

    Output constant(Enum<?> constant) {
      write(constant.ordinal());
      return this;
    }

    Output flag(boolean flag) {
      write(flag ? 1 : 0);
      return this;
    }

    Output number(int number) {
      return bigEndian(number, Integer.BYTES);
    }

    Output number(long number) {
      return bigEndian(number, Long.BYTES);
    }

    private Output bigEndian(long number, int length) {
      for (int i = length - 1; i >= 0; i--) {
        write((int) (number >>> (Byte.SIZE * i)));
      }
      return this;
    }

    /** Writes a string in UTF-8. */
    Output text(String text) {
      return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    Output bytes(byte[] bytes) {
      number(bytes.length).writeBytes(bytes);
      return this;
    }

    <T> Output list(List<T> values, BiConsumer<Output, T> writer) {
      number(values.size());
      values.forEach(value -> writer.accept(this, value));
      return this;
    }

    Output map(Map<String, String> texts) {
      number(texts.size());
      texts.forEach((name, text) -> text(name).text(text));
      return this;
    }
  }

  /** Reads one value of a list. */
  interface Reader<T> {
    T read(Input in) throws IOException;
  }

  /** A message that is read field by field. */
  static final class Input extends DataInputStream {

    Input(byte[] message) {
      super(new ByteArrayInputStream(message));
    }

    /**
     * Reads a string in UTF-8.
     *
     * @throws IOException if its length exceeds the message
     */
    String text() throws IOException {
      return new String(bytes(), StandardCharsets.UTF_8);
    }

    byte[] bytes() throws IOException {
      byte[] bytes = new byte[count()];
      readFully(bytes);
      return bytes;
    }

    /**
     * Reads a length or number of entries and checks it against the rest of the message, so that a
     * hostile worker cannot cause a large allocation.
     */
    private int count() throws IOException {
      int count = readInt();
      if (count < 0 || count > available()) {
        throw new IOException("a count is larger than its message");
      }
      return count;
    }

    <T> List<T> list(Reader<T> reader) throws IOException {
      List<T> values = new ArrayList<>();
      for (int left = count(); left > 0; left--) {
        values.add(reader.read(this));
      }
      return values;
    }

    Map<String, String> map() throws IOException {
      Map<String, String> texts = new LinkedHashMap<>();
      for (int left = count(); left > 0; left--) {
        texts.put(text(), text());
      }
      return texts;
    }

    /**
     * Reads a constant of an enum.
     *
     * @throws IOException if there is no such constant
     */
    <E extends Enum<E>> E constant(E[] all) throws IOException {
      int ordinal = readUnsignedByte();
      if (ordinal >= all.length) {
        throw new IOException("a message names no constant");
      }
      return all[ordinal];
    }
  }
}
