package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/** Methods of {@code Buffer} over ranges of bytes, with the argument checks of Node.js. */
public final class BufferBytes {
  private static final String VALUE =
      "one of type number or string or an instance of Buffer or Uint8Array";

  private BufferBytes() {}

  /** Adds the methods to the prototype of {@code Buffer}. */
  static void define(LazyProperties properties) {
    properties
        .method("slice", 2, BufferBytes::slice)
        .method("subarray", 2, BufferBytes::slice)
        .method("equals", 1, BufferBytes::equal)
        .method("compare", 5, BufferBytes::compare)
        .method("copy", 4, BufferBytes::copy)
        .method("swap16", 0, (r, self, args) -> swap(r, self, 2))
        .method("swap32", 0, (r, self, args) -> swap(r, self, 4))
        .method("swap64", 0, (r, self, args) -> swap(r, self, 8))
        .method("toJSON", 0, BufferBytes::toJson);
  }

  /** Implements {@code slice} and {@code subarray}: returns a buffer that shares the memory. */
  private static Object slice(ByteRealm realm, Object self, CallArguments args) {
    int length = ByteView.self(self).length;
    int start = position(args.at(0), length, 0);
    int end = Math.max(start, position(args.at(1), length, length));
    NativeUint8Array buffer = (NativeUint8Array) self;
    return realm.buffer(buffer.getBuffer(), buffer.getByteOffset() + start, end - start);
  }

  /**
   * Returns a position within the buffer. A negative one counts from the end.
   *
   * @param otherwise the position if the value is undefined
   */
  private static int position(Object value, int length, int otherwise) {
    if (Undefined.isUndefined(value)) {
      return otherwise;
    }
    double position = ScriptRuntime.toInteger(value);
    return (int) Math.max(0, Math.min(length, position < 0 ? position + length : position));
  }

  private static Object equal(ByteRealm realm, Object self, CallArguments args) {
    ByteView other = BufferClass.bytes(args.at(0), "otherBuffer");
    ByteView bytes = ByteView.self(self);
    realm.spend(Math.min(bytes.length, other.length));
    return bytes.length == other.length && bytes.compare(other) == 0;
  }

  /** Implements {@code compare}, with optional ranges of both buffers. */
  private static Object compare(ByteRealm realm, Object self, CallArguments args) {
    ByteView target = BufferClass.bytes(args.at(0), "target");
    ByteView source = ByteView.self(self);
    int targetStart = offset(args.at(1), "targetStart", BufferClass.MAX_LENGTH, 0);
    int targetEnd = offset(args.at(2), "targetEnd", target.length, target.length);
    int sourceStart = offset(args.at(3), "sourceStart", BufferClass.MAX_LENGTH, 0);
    int sourceEnd = offset(args.at(4), "sourceEnd", source.length, source.length);
    if (sourceStart >= sourceEnd) {
      return targetStart >= targetEnd ? 0 : -1;
    }
    if (targetStart >= targetEnd) {
      return 1;
    }
    realm.spend(Math.min(source.length, target.length));
    return source.part(sourceStart, sourceEnd).compare(target.part(targetStart, targetEnd));
  }

  /**
   * Returns an offset argument.
   *
   * @param otherwise the offset if the value is undefined
   * @throws NodeError if it is not an integer from 0 to {@code max}
   */
  public static int offset(Object value, String name, long max, int otherwise) {
    return Undefined.isUndefined(value) ? otherwise : CallArguments.whole(value, name, 0, max);
  }

  /**
   * Implements {@code copy}. Reads the views again after the arguments, whose conversion can run
   * code of the script.
   */
  private static Object copy(ByteRealm realm, Object self, CallArguments args) {
    BufferClass.bytes(self, "source");
    BufferClass.bytes(args.at(0), "target");
    double targetStart = start(args.at(1), "targetStart");
    double sourceStart = start(args.at(2), null);
    int length = ByteView.self(self).length;
    if (sourceStart < 0 || sourceStart > length) {
      throw NodeError.outOfRange("sourceStart", ">= 0 && <= " + length, sourceStart);
    }
    double sourceEnd = args.has(3) ? start(args.at(3), "sourceEnd") : length;
    ByteView source = ByteView.self(self);
    ByteView target = ByteView.self(args.at(0));
    double room = target.length - targetStart;
    int count = (int) Math.min(room, Math.min(sourceEnd, source.length) - sourceStart);
    if (count <= 0) {
      return 0;
    }
    realm.spend(count);
    int from = source.offset + (int) sourceStart;
    System.arraycopy(source.array, from, target.array, target.offset + (int) targetStart, count);
    return count;
  }

  /**
   * Returns the start of a range; 0 if the value is undefined or not a number.
   *
   * @param name the name for the error if it is negative; null to allow negative values
   */
  private static double start(Object value, String name) {
    double start = Undefined.isUndefined(value) ? 0 : ScriptRuntime.toInteger(value);
    if (name != null && start < 0) {
      throw NodeError.outOfRange(name, ">= 0", start);
    }
    return start;
  }

  /**
   * Implements {@code swap16}, {@code swap32} and {@code swap64}: reverses the bytes of each unit.
   */
  private static Object swap(ByteRealm realm, Object self, int size) {
    ByteView bytes = ByteView.self(self);
    if (bytes.length % size != 0) {
      throw NodeError.range(
          "ERR_INVALID_BUFFER_SIZE", "Buffer size must be a multiple of " + size * 8 + "-bits");
    }
    realm.spend(bytes.length);
    for (int unit = bytes.offset; unit < bytes.offset + bytes.length; unit += size) {
      reverse(bytes.array, unit, unit + size - 1);
    }
    return self;
  }

  /** Reverses the bytes from {@code first} to {@code last}, both included. */
  static void reverse(byte[] bytes, int first, int last) {
    for (int low = first, high = last; low < high; low++, high--) {
      byte held = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = held;
    }
  }

  /** Implements {@code toJSON}, whose cost is that of an array with a number for each byte. */
  private static Object toJson(ByteRealm realm, Object self, CallArguments args) {
    ByteView bytes = ByteView.self(self);
    realm.spend(50L * bytes.length);
    Object[] data = new Object[bytes.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = bytes.at(i);
    }
    Scriptable json = realm.object();
    json.put("type", json, "Buffer");
    json.put("data", json, realm.array(data));
    return json;
  }

  /** Adds the methods to the prototype of {@code Buffer}. */
  static void defineSearch(LazyProperties properties) {
    properties
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
      ByteRealm realm, ByteView haystack, byte[] needle, double offset, boolean forward, int unit) {
    // The conversion to int limits the offset to its range, and replaces NaN by 0.
    int asked = Double.isNaN(offset) && !forward ? haystack.length : (int) offset;
    int start = start(haystack.length, asked, needle.length, forward);
    if (start < 0 || needle.length == 0) {
      return start;
    }
    if (needle.length > haystack.length || needle.length < unit) {
      return -1;
    }
    realm.spend((long) haystack.length + needle.length);
    int from = forward ? start : Math.min(start, haystack.length - needle.length);
    int step = forward ? unit : -unit;
    for (int i = from / unit * unit; i >= 0 && i + needle.length <= haystack.length; i += step) {
      if (matches(realm, haystack, i, needle)) {
        return i;
      }
    }
    return -1;
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

  /**
   * Compares bytes and counts long comparisons, since a needle that almost matches everywhere takes
   * quadratic time.
   */
  private static boolean matches(ByteRealm realm, ByteView haystack, int at, byte[] needle) {
    int same = 0;
    while (same < needle.length && haystack.array[haystack.offset + at + same] == needle[same]) {
      same++;
    }
    if (same > 16) {
      realm.spend(same);
    }
    return same == needle.length;
  }
}
