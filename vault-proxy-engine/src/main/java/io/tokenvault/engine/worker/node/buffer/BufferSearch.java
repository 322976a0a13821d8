package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Undefined;

/** The methods {@code indexOf}, {@code lastIndexOf} and {@code includes} of {@code Buffer}. */
final class BufferSearch {
  private static final String VALUE =
      "one of type number or string or an instance of Buffer or Uint8Array";

  private BufferSearch() {}

  /** Adds the methods to the prototype of {@code Buffer}. */
  static void define(LazyMembers members) {
    members
        .method("indexOf", 3, (r, self, args) -> search(r, self, args, true))
        .method("lastIndexOf", 3, (r, self, args) -> search(r, self, args, false))
        .method("includes", 3, (r, self, args) -> search(r, self, args, true) != -1);
  }

  /**
   * Searches for a string, a number or bytes; returns the index or -1.
   *
   * <p>The bytes of the receiver are read last, since converting arguments can run code of the
   * script, which may detach the memory.
   */
  private static int search(ByteRealm realm, Object self, CallArguments args, boolean forward) {
    Object encodingValue = args.isText(1) ? args.at(1) : args.at(2);
    Object offsetValue = args.isText(1) ? Undefined.instance : args.at(1);
    double offset = ScriptRuntime.toNumber(offsetValue);
    Object value = args.at(0);
    if (CallArguments.isNumber(value)) {
      byte[] needle = {(byte) ScriptRuntime.toInt32(value)};
      return search(realm, ByteView.self(self), needle, offset, forward, 1);
    }
    TextEncoding encoding = TextEncoding.of(encodingValue);
    byte[] needle = needle(value, encoding);
    int unit = encoding == TextEncoding.UTF16LE ? 2 : 1;
    return search(realm, ByteView.self(self), needle, offset, forward, unit);
  }

  /** Returns the bytes to search for. */
  private static byte[] needle(Object value, TextEncoding encoding) {
    if (value instanceof CharSequence) {
      return encoding.encode(value.toString());
    }
    ByteView bytes = ByteView.ofUint8(value);
    if (bytes == null) {
      throw NodeError.argument("value", VALUE, value);
    }
    return bytes.copy();
  }

  /**
   * Searches for bytes.
   *
   * @param offset the index at which to start; NaN for the default
   * @param unit the size of a character, at whose multiples matches are searched
   */
  private static int search(
      ByteRealm realm, ByteView hay, byte[] needle, double offset, boolean forward, int unit) {
    double asked = Double.isNaN(offset) ? (forward ? 0 : hay.length) : truncated(offset);
    int start = start(hay.length, asked, needle.length, forward);
    if (start < 0 || needle.length == 0) {
      return start;
    }
    if (needle.length > hay.length || needle.length < unit) {
      return -1;
    }
    realm.spend((long) hay.length + needle.length);
    return forward
        ? first(realm, hay, needle, start / unit * unit, unit)
        : last(realm, hay, needle, Math.min(start, hay.length - needle.length), unit);
  }

  /** Truncates an offset to the range of an {@code int}. */
  private static double truncated(double offset) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, offset));
  }

  /** Returns the index at which to start; -1 if there cannot be a match. */
  private static int start(int length, double offset, int needle, boolean forward) {
    if (offset < 0) {
      if (offset + length >= 0) {
        return (int) (length + offset);
      }
      return forward || needle == 0 ? 0 : -1;
    }
    if (offset + needle <= length) {
      return (int) offset;
    }
    if (needle == 0) {
      return length;
    }
    return forward ? -1 : length - 1;
  }

  /** Returns the first match at or after an index. */
  private static int first(ByteRealm realm, ByteView hay, byte[] needle, int from, int unit) {
    for (int i = from; i + needle.length <= hay.length; i += unit) {
      if (matches(realm, hay, i, needle)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the last match at or before an index. */
  private static int last(ByteRealm realm, ByteView hay, byte[] needle, int from, int unit) {
    for (int i = from / unit * unit; i >= 0; i -= unit) {
      if (matches(realm, hay, i, needle)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Compares bytes and counts long comparisons, since a needle that almost matches everywhere takes
   * quadratic time.
   */
  private static boolean matches(ByteRealm realm, ByteView hay, int at, byte[] needle) {
    int same = 0;
    while (same < needle.length && hay.array[hay.offset + at + same] == needle[same]) {
      same++;
    }
    if (same > 16) {
      realm.spend(same);
    }
    return same == needle.length;
  }
}
