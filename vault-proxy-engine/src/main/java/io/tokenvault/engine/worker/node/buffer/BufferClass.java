package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.buffer.ByteRealm.FunctionBody;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.Unicode;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/**
 * The class {@code Buffer}: a subclass of {@code Uint8Array} with its static functions.
 *
 * <p>The methods of instances are in {@link BufferBytes}, {@link BufferText} and {@link
 * BufferNumbers}.
 */
public final class BufferClass {
  /** The limit that Node.js reports. Actual allocations are limited by {@link ByteRealm#memory}. */
  static final long MAX_LENGTH = 4294967296L;

  private static final String BYTES = "an instance of Buffer or Uint8Array";

  private BufferClass() {}

  /** Returns the constructor of a realm, which is defined on first use. */
  public static LambdaConstructor in(ByteRealm realm) {
    return realm.once("Buffer", LambdaConstructor.class, () -> define(realm));
  }

  private static LambdaConstructor define(ByteRealm realm) {
    FunctionBody construct = (r, self, args) -> construct(r, args);
    LambdaConstructor buffer = realm.constructor("Buffer", 3, construct, construct);
    ScriptableObject prototype = realm.prototype(buffer);
    prototype.setPrototype(ScriptableObject.getClassPrototype(realm.global(), "Uint8Array"));
    buffer.setPrototype((Scriptable) LazyProperties.property(realm.global(), "Uint8Array"));
    functions(LazyProperties.listed(realm, buffer));
    BufferBytes.define(LazyProperties.hidden(realm, prototype));
    BufferText.define(LazyProperties.hidden(realm, prototype));
    BufferBytes.defineSearch(LazyProperties.hidden(realm, prototype));
    BufferNumbers.define(LazyProperties.hidden(realm, prototype));
    LazyProperties.hidden(realm, prototype)
        .getter("parent", (r, self, args) -> underFormerName(r, self, "buffer"))
        .getter("offset", (r, self, args) -> underFormerName(r, self, "byteOffset"));
    return buffer;
  }

  /** Returns the value of a property that buffers also have under its former name. */
  private static Object underFormerName(ByteRealm realm, Object self, String name) {
    return isBuffer(realm, self) ? LazyProperties.property(self, name) : Undefined.instance;
  }

  private static void functions(LazyProperties properties) {
    properties
        .value("poolSize", 8192)
        .constructible("from", 3, (r, self, args) -> from(r, args.at(0), args.at(1), args.at(2)))
        .method("of", 0, (r, self, args) -> of(r, args))
        .constructible("alloc", 3, (r, self, args) -> alloc(r, args))
        .constructible("allocUnsafe", 1, (r, self, args) -> r.allocate(size(args)))
        .constructible("allocUnsafeSlow", 1, (r, self, args) -> r.allocate(size(args)))
        .method("isBuffer", 1, (r, self, args) -> isBuffer(r, args.at(0)))
        .method("compare", 2, (r, self, args) -> compare(args))
        .method("isEncoding", 1, (r, self, args) -> isEncoding(args.at(0)))
        .method("concat", 2, (r, self, args) -> concat(r, args))
        .method("byteLength", 2, (r, self, args) -> byteLength(args));
  }

  /**
   * Implements the deprecated constructor: allocates for a number, else converts as {@code from}
   * does.
   */
  private static Scriptable construct(ByteRealm realm, CallArguments args) {
    if (!CallArguments.isNumber(args.at(0))) {
      return from(realm, args.at(0), args.at(1), args.at(2));
    }
    if (args.isText(1)) {
      throw NodeError.argument("string", "of type string", args.at(0));
    }
    return realm.allocate(size(args));
  }

  /** Returns whether a value is a {@code Buffer}, judged by its prototypes. */
  static boolean isBuffer(ByteRealm realm, Object value) {
    if (!(value instanceof NativeUint8Array)) {
      return false;
    }
    Scriptable prototype = realm.prototype(in(realm));
    Scriptable next = ((Scriptable) value).getPrototype();
    while (next != null && !next.equals(prototype)) {
      next = next.getPrototype();
    }
    return next != null;
  }

  /**
   * Implements {@code Buffer.from}.
   *
   * @param second the encoding of a string or the offset in an {@code ArrayBuffer}
   * @param third the length in an {@code ArrayBuffer}
   * @throws NodeError if the value cannot be converted
   */
  static NativeUint8Array from(ByteRealm realm, Object value, Object second, Object third) {
    if (value instanceof CharSequence) {
      return text(realm, value.toString(), second);
    }
    if (value instanceof NativeArrayBuffer memory) {
      return memory(realm, memory, second, third);
    }
    NativeUint8Array made =
        value instanceof Scriptable object
                && !(value instanceof Callable)
                && !Undefined.isUndefined(value)
            ? object(realm, object, second, third)
            : null;
    if (made == null) {
      throw NodeError.firstArgument(
          "of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object",
          value);
    }
    return made;
  }

  /** Encodes a string, in UTF-8 unless an encoding is named. */
  private static NativeUint8Array text(ByteRealm realm, String text, Object encoding) {
    boolean named = encoding instanceof CharSequence && !encoding.toString().isEmpty();
    realm.spend(text.length());
    return realm.buffer((named ? TextEncoding.of(encoding) : TextEncoding.UTF8).encode(text));
  }

  /** Returns a buffer that shares the memory of an {@code ArrayBuffer}. */
  private static NativeUint8Array memory(
      ByteRealm realm, NativeArrayBuffer memory, Object offsetOrNone, Object lengthOrNone) {
    double offset = number(offsetOrNone, 0);
    double longest = memory.getLength() - offset;
    if (!(longest >= 0) || offset < 0) {
      throw NodeError.outOfBounds("offset");
    }
    double length = Math.max(0, number(lengthOrNone, longest));
    if (length > longest) {
      throw NodeError.outOfBounds("length");
    }
    return realm.buffer(memory, (int) offset, (int) length);
  }

  /** Converts a value to a number; NaN becomes 0. */
  private static double number(Object value, double otherwise) {
    if (Undefined.isUndefined(value)) {
      return otherwise;
    }
    double number = ScriptRuntime.toNumber(value);
    return Double.isNaN(number) ? 0 : number;
  }

  /**
   * Converts an object: bytes, a wrapped primitive, an array-like object, the JSON form of a
   * buffer, or one with {@code Symbol.toPrimitive}. Returns null for any other object.
   */
  private static NativeUint8Array object(
      ByteRealm realm, Scriptable value, Object second, Object third) {
    ByteView bytes = ByteView.ofUint8(value);
    if (bytes != null) {
      return realm.buffer(bytes.copy());
    }
    Object primitive = primitive(realm, value);
    if (primitive != null) {
      return from(realm, primitive, second, third);
    }
    if (ScriptableObject.hasProperty(value, "length")
        && !Undefined.isUndefined(LazyProperties.property(value, "length"))) {
      return arrayLike(realm, value);
    }
    return LazyProperties.property(value, "data") instanceof NativeArray data
            && LazyProperties.property(value, "type") instanceof CharSequence type
            && type.toString().equals("Buffer")
        ? arrayLike(realm, data)
        : converted(realm, value, second);
  }

  /** Returns the result of {@code valueOf} if it is a string or another object; null otherwise. */
  private static Object primitive(ByteRealm realm, Scriptable value) {
    if (!(LazyProperties.property(value, "valueOf") instanceof Callable valueOf)) {
      return null;
    }
    Object result = valueOf.call(realm.context(), realm.global(), value, new Object[0]);
    boolean other =
        result instanceof CharSequence
            || (result instanceof Scriptable
                && !Undefined.isUndefined(result)
                && !result.equals(value));
    return other ? result : null;
  }

  /** Converts an object by its {@code Symbol.toPrimitive} method; null if it has none. */
  private static NativeUint8Array converted(ByteRealm realm, Scriptable value, Object encoding) {
    if (!(ScriptableObject.getProperty(value, SymbolKey.TO_PRIMITIVE)
        instanceof Callable convert)) {
      return null;
    }
    Object result = convert.call(realm.context(), realm.global(), value, new Object[] {"string"});
    return result instanceof CharSequence ? text(realm, result.toString(), encoding) : null;
  }

  private static NativeUint8Array arrayLike(ByteRealm realm, Scriptable list) {
    Object lengthValue = LazyProperties.property(list, "length");
    double length = CallArguments.isNumber(lengthValue) ? ((Number) lengthValue).doubleValue() : 0;
    if (!(length > 0)) {
      return realm.allocate(0);
    }
    if (length > Integer.MAX_VALUE - 8) {
      throw NodeError.outOfRange("size", ">= 0 && <= " + MAX_LENGTH, lengthValue);
    }
    // Counted before the memory is allocated.
    realm.spend(100L * (int) length);
    byte[] bytes = new byte[(int) length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = element(list, i);
    }
    return realm.buffer(bytes);
  }

  /** Returns an element as a byte; 0 if it is missing. */
  private static byte element(Scriptable list, int index) {
    Object value = ScriptableObject.getProperty(list, index);
    if (value instanceof Integer number) {
      return number.byteValue();
    }
    return value == Scriptable.NOT_FOUND ? 0 : (byte) ScriptRuntime.toInt32(value);
  }

  private static NativeUint8Array of(ByteRealm realm, CallArguments args) {
    byte[] bytes = new byte[args.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ScriptRuntime.toInt32(args.at(i));
    }
    return realm.buffer(bytes);
  }

  private static int size(CallArguments args) {
    double size = CallArguments.number(args.at(0), "size", 0, MAX_LENGTH);
    if (size > Integer.MAX_VALUE - 8) {
      throw NodeError.range(null, "Array buffer allocation failed");
    }
    return (int) size;
  }

  private static Object alloc(ByteRealm realm, CallArguments args) {
    NativeUint8Array buffer = realm.allocate(size(args));
    boolean zeros = !args.has(1) || Integer.valueOf(0).equals(args.at(1));
    if (!zeros && buffer.getByteLength() > 0) {
      BufferText.fill(realm, buffer, args.at(1), 0, buffer.getByteLength(), args.at(2));
    }
    return buffer;
  }

  private static Object compare(CallArguments args) {
    return bytes(args.at(0), "buf1").compare(bytes(args.at(1), "buf2"));
  }

  /**
   * Returns the bytes of an argument.
   *
   * @throws NodeError if it is not a {@code Uint8Array}
   */
  static ByteView bytes(Object value, String name) {
    ByteView bytes = ByteView.ofUint8(value);
    if (bytes == null) {
      throw NodeError.argument(name, BYTES, value);
    }
    return bytes;
  }

  private static Object isEncoding(Object name) {
    return name instanceof CharSequence && TextEncoding.named(name.toString()) != null;
  }

  /** Implements {@code Buffer.concat}; a given length cuts the result or fills it with zeros. */
  private static Object concat(ByteRealm realm, CallArguments args) {
    if (!(args.at(0) instanceof NativeArray list)) {
      throw NodeError.argument("list", "an instance of Array", args.at(0));
    }
    long count = list.getLength();
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += part(list, i).length;
    }
    boolean cut = args.has(1) && count > 0;
    long length = cut ? CallArguments.whole(args.at(1), "length", 0, MAX_LENGTH) : total;
    NativeUint8Array whole = realm.allocate((int) length);
    byte[] target = whole.getBuffer().getBuffer();
    int filled = 0;
    for (int i = 0; i < count && filled < length; i++) {
      ByteView part = part(list, i);
      int taken = Math.min(part.length, target.length - filled);
      System.arraycopy(part.array, part.offset, target, filled, taken);
      filled += taken;
    }
    return whole;
  }

  private static ByteView part(NativeArray list, int index) {
    Object value = ScriptableObject.getProperty(list, index);
    return bytes(value == Scriptable.NOT_FOUND ? Undefined.instance : value, "list[" + index + "]");
  }

  private static Object byteLength(CallArguments args) {
    Object value = args.at(0);
    ByteView bytes = ByteView.of(value);
    if (bytes != null) {
      return bytes.length;
    }
    if (!(value instanceof CharSequence)) {
      throw NodeError.argument(
          "string", "of type string or an instance of Buffer or ArrayBuffer", value);
    }
    return (double) length(value.toString(), TextEncoding.lenient(args.at(1)));
  }

  /**
   * Returns the length of an encoded string without encoding it. For hexadecimal and Base64 this is
   * an estimate, as in Node.js.
   */
  private static long length(String text, TextEncoding encoding) {
    return switch (encoding) {
      case UTF8 -> Unicode.utf8Length(text);
      case UTF16LE -> text.length() * 2L;
      case HEX -> text.length() / 2;
      case BASE64, BASE64URL -> TextEncoding.guessedBase64Length(text);
      case LATIN1, ASCII -> text.length();
    };
  }
}
