package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.util.Locale;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Undefined;

/** Methods of {@code Buffer} that read and write text. */
final class BufferText {

  private BufferText() {}

  /** Adds the methods to the prototype of {@code Buffer}. */
  static void define(LazyProperties properties) {
    properties
        .method("toString", 3, (r, self, args) -> part(r, self, args.at(1), args.at(2), args))
        .alias("toLocaleString", "toString")
        .method("write", 4, BufferText::write)
        .method(
            "fill",
            4,
            (r, self, args) -> fill(r, self, args.at(0), args.at(1), args.at(2), args.at(3)))
        .method("inspect", 2, (r, self, args) -> ByteView.self(self).inspect());
    for (TextEncoding encoding : TextEncoding.values()) {
      String name =
          encoding == TextEncoding.UTF16LE ? "ucs2" : encoding.name().toLowerCase(Locale.ROOT);
      properties.method(
          name + "Slice", 2, (r, self, args) -> part(r, self, args.at(0), args.at(1), encoding));
    }
  }

  /** Implements {@code toString}: decodes a range whose bounds are limited to the buffer. */
  private static Object part(
      ByteRealm realm, Object self, Object start, Object end, CallArguments encodingFirst) {
    int length = ByteView.self(self).length;
    int from = (int) Math.max(0, Math.min(length, position(start, 0)));
    int to = (int) Math.max(from, Math.min(length, position(end, length)));
    if (from >= length || to <= from) {
      return "";
    }
    return decode(realm, ByteView.self(self), from, to, TextEncoding.of(encodingFirst.at(0)));
  }

  /** Decodes a range whose bounds must be within the buffer. */
  private static Object part(
      ByteRealm realm, Object self, Object start, Object end, TextEncoding encoding) {
    int length = ByteView.self(self).length;
    int from = BufferBytes.offset(start, "start", length, 0);
    int to = BufferBytes.offset(end, "end", length, length);
    return decode(realm, ByteView.self(self), from, Math.max(from, to), encoding);
  }

  /** Decodes bytes and counts the work. */
  private static String decode(
      ByteRealm realm, ByteView bytes, int from, int to, TextEncoding encoding) {
    realm.spend(to - from);
    return encoding.decode(bytes.part(from, to));
  }

  private static double position(Object value, double otherwise) {
    return Undefined.isUndefined(value) ? otherwise : ScriptRuntime.toInteger(value);
  }

  /**
   * Implements {@code write(string[, offset[, length]][, encoding])}.
   *
   * <p>The bounds are checked before the string, as in Node.js.
   */
  private static Object write(ByteRealm realm, Object self, CallArguments args) {
    int size = ByteView.self(self).length;
    Object encoding = args.at(3);
    double offset = 0;
    double length = size;
    if (args.has(1) && !args.has(2) && args.isText(1)) {
      encoding = args.at(1);
    } else if (args.has(1)) {
      offset = CallArguments.whole(args.at(1), "offset", 0, size);
      length = size - offset;
      if (args.isText(2)) {
        encoding = args.at(2);
      } else if (args.has(2)) {
        length = Math.min(length, CallArguments.whole(args.at(2), "length", 0, size));
      }
    }
    if (!args.isText(0)) {
      throw NodeError.type("ERR_INVALID_ARG_TYPE", "argument must be a string");
    }
    String text = args.at(0).toString();
    realm.spend(text.length());
    return written(text, used(encoding), ByteView.self(self), (int) offset, (int) length);
  }

  /** Returns the encoding of a value; UTF-8 if it is falsy. */
  private static TextEncoding used(Object encoding) {
    return ScriptRuntime.toBoolean(encoding) ? TextEncoding.of(encoding) : TextEncoding.UTF8;
  }

  private static int written(
      String text, TextEncoding encoding, ByteView target, int offset, int room) {
    byte[] bytes = encoding.encode(text);
    int count = bytes.length <= room ? bytes.length : encoding.unitEnd(bytes, room);
    System.arraycopy(bytes, 0, target.array, target.offset + offset, count);
    return count;
  }

  /**
   * Implements {@code fill(value[, offset[, end]][, encoding])}.
   *
   * <p>The encoding may take the place of a missing offset or end if the value is a string.
   *
   * @throws NodeError if the bounds are invalid or the value is empty
   */
  static Object fill(
      ByteRealm realm, Object self, Object value, Object second, Object third, Object fourth) {
    ByteView bytes = ByteView.self(self);
    boolean text = value instanceof CharSequence;
    Object start = second;
    Object end = third;
    Object encoding = fourth;
    if (text && (Undefined.isUndefined(second) || second instanceof CharSequence)) {
      encoding = second;
      start = Undefined.instance;
    } else if (text && third instanceof CharSequence) {
      encoding = third;
      end = Undefined.instance;
    }
    byte[] pattern = text ? textPattern(value.toString(), encoding) : pattern(value);
    if (Undefined.isUndefined(start)) {
      repeat(realm, bytes, 0, bytes.length, pattern, value);
      return self;
    }
    int from =
        (int)
            Math.min(
                bytes.length, CallArguments.number(start, "offset", 0, BufferClass.MAX_LENGTH));
    int to =
        Undefined.isUndefined(end)
            ? bytes.length
            : (int) CallArguments.number(end, "end", 0, bytes.length);
    repeat(realm, ByteView.self(self), from, to, pattern, value);
    return self;
  }

  /** Returns the bytes of a string to fill with; one zero byte for an empty string. */
  private static byte[] textPattern(String text, Object encoding) {
    boolean plain =
        encoding == null
            || Undefined.isUndefined(encoding)
            || (encoding instanceof CharSequence && encoding.toString().isEmpty());
    if (!plain) {
      CallArguments.text(encoding, "encoding");
    }
    TextEncoding used = plain ? TextEncoding.UTF8 : TextEncoding.of(encoding);
    return text.isEmpty() ? new byte[1] : used.encode(text);
  }

  private static byte[] pattern(Object value) {
    ByteView bytes = ByteView.ofUint8(value);
    if (bytes != null) {
      return bytes.copy();
    }
    return new byte[] {(byte) ScriptRuntime.toInt32(value)};
  }

  private static void repeat(
      ByteRealm realm, ByteView bytes, int from, int to, byte[] pattern, Object value) {
    if (from >= to) {
      return;
    }
    if (pattern.length == 0) {
      throw NodeError.value("value", value);
    }
    realm.spend(to - from);
    for (int i = from; i < to; i += pattern.length) {
      int count = Math.min(pattern.length, to - i);
      System.arraycopy(pattern, 0, bytes.array, bytes.offset + i, count);
    }
  }
}
