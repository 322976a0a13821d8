package io.tokenvault.engine.worker.realm;

import java.math.BigInteger;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.LongConsumer;
import org.mozilla.javascript.AbstractEcmaObjectOperations;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * Writer of a value as {@code JSON.stringify} writes it without further arguments; Rhino's own
 * takes several times as long.
 *
 * <p>Calls getters and {@code toJSON} methods of scripts, which may throw.
 */
public final class JsonWriter {

  /** The instructions that a value counts as. */
  private static final int VALUE_INSTRUCTIONS = 5;

  /** The number of characters that count as an instruction. */
  private static final int CHARACTERS_PER_INSTRUCTION = 8;

  private static final int INITIAL_LENGTH = 512;

  private static final int EXPECTED_DEPTH = 4;

  private final ScriptContext cx;
  private final Scriptable realm;
  private final LongConsumer limit;
  private final StringBuilder out = new StringBuilder(INITIAL_LENGTH);

  /** The objects that are being written. */
  private final Set<Scriptable> open =
      Collections.newSetFromMap(new IdentityHashMap<>(EXPECTED_DEPTH));

  private JsonWriter(ScriptContext cx, Scriptable realm, LongConsumer limit) {
    this.cx = cx;
    this.realm = realm;
    this.limit = limit;
  }

  /**
   * Returns the JSON of a value; null if it has none, as functions.
   *
   * @param limit called with the length of the text so far; may throw
   */
  public static String write(ScriptContext cx, Scriptable realm, Object value, LongConsumer limit) {
    JsonWriter writer = new JsonWriter(cx, realm, limit);
    return writer.writeIfAny(value, "") ? writer.out.toString() : null;
  }

  /** Writes the value of a property, unless it has no JSON. */
  private boolean writeIfAny(Object property, Object key) {
    cx.spend(VALUE_INSTRUCTIONS);
    Object value = primitive(converted(property, key));
    if (value == null) {
      out.append("null");
    } else if (value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof CharSequence text) {
      string(text.toString());
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof Scriptable object && !isSkipped(value)) {
      structure(object);
    } else {
      return false;
    }
    return true;
  }

  private static boolean isSkipped(Object value) {
    return value instanceof Callable
        || (value instanceof Symbol && ScriptRuntime.typeof(value).equals("symbol"))
        || Undefined.isUndefined(value);
  }

  /** Returns what the {@code toJSON} method of a value returns; the value if it has none. */
  private Object converted(Object value, Object key) {
    Scriptable object =
        value instanceof Scriptable given && !Undefined.isUndefined(value)
            ? given
            : value instanceof BigInteger ? ScriptRuntime.toObject(cx, realm, value) : null;
    return object != null && ScriptableObject.getProperty(object, "toJSON") instanceof Callable own
        ? own.call(cx, realm, object, new Object[] {key.toString()})
        : value;
  }

  /** Returns the primitive value in an object of it; any other value as it is. */
  private static Object primitive(Object value) {
    if (!(value instanceof ScriptableObject object)
        || value instanceof NativeObject
        || value instanceof NativeArray) {
      return value;
    }
    // The classes of Rhino are not public, and their class names are also those of proxies.
    return switch (value.getClass().getSimpleName()) {
      case "NativeNumber" -> ScriptRuntime.toNumber(value);
      case "NativeString" -> ScriptRuntime.toString(value);
      case "NativeBoolean" -> object.getDefaultValue(Boolean.class);
      case "NativeBigInt" -> object.getDefaultValue(BigInteger.class);
      default -> value;
    };
  }

  private void number(Number number) {
    if (number instanceof BigInteger) {
      throw ScriptRuntime.typeErrorById("msg.json.cant.serialize", "BigInt");
    }
    double value = number.doubleValue();
    if (value == (int) value) {
      out.append((int) value);
    } else if (Double.isFinite(value)) {
      out.append(ScriptRuntime.toString(value));
    } else {
      out.append("null");
    }
  }

  private void structure(Scriptable object) {
    if (!open.add(object)) {
      throw ScriptRuntime.typeError("Converting circular structure to JSON");
    }
    if (object instanceof NativeArray array) {
      elements(array, array.getLength());
    } else if (object.getClassName().equals("Array")) {
      // A proxy of an array.
      elements(object, AbstractEcmaObjectOperations.lengthOfArrayLike(cx, object));
    } else {
      properties(object);
    }
    open.remove(object);
    limit.accept(out.length());
  }

  private void elements(Scriptable array, long length) {
    out.append('[');
    for (long i = 0; i < length; i++) {
      if (i > 0) {
        out.append(',');
      }
      boolean written =
          i > Integer.MAX_VALUE
              ? writeIfAny(ScriptableObject.getProperty(array, Long.toString(i)), i)
              : writeIfAny(ScriptableObject.getProperty(array, (int) i), i);
      if (!written) {
        out.append("null");
      }
      limit.accept(out.length());
    }
    out.append(']');
  }

  private void properties(Scriptable object) {
    out.append('{');
    int start = out.length();
    for (Object id : object.getIds()) {
      int before = out.length();
      if (before > start) {
        out.append(',');
      }
      string(id.toString());
      out.append(':');
      if (!writeIfAny(property(object, id), id)) {
        out.setLength(before);
      }
    }
    out.append('}');
  }

  /** Returns a property by an id of {@link Scriptable#getIds}. */
  public static Object property(Scriptable object, Object id) {
    return id instanceof Integer index
        ? ScriptableObject.getProperty(object, index)
        : ScriptableObject.getProperty(object, id.toString());
  }

  private void string(String text) {
    limit.accept((long) out.length() + text.length());
    cx.spend(text.length() / CHARACTERS_PER_INSTRUCTION);
    quote(text, out);
  }

  /** Returns a list of strings as JSON. */
  public static String list(List<String> values) {
    StringJoiner json = new StringJoiner(",", "[", "]");
    values.forEach(value -> json.add(quote(value)));
    return json.toString();
  }

  /** Returns a string as JSON. */
  public static String quote(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2);
    quote(text, json);
    return json.toString();
  }

  /** Appends a string as JSON, with lone surrogates escaped so that they survive UTF-8. */
  private static void quote(String text, StringBuilder json) {
    json.append('"');
    int plain = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
        continue;
      }
      if (isPair(text, i)) {
        i++;
        continue;
      }
      json.append(text, plain, i);
      escape(c, json);
      plain = i + 1;
    }
    json.append(text, plain, text.length()).append('"');
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  private static void escape(char c, StringBuilder json) {
    switch (c) {
      case '"', '\\' -> json.append('\\').append(c);
      case '\b' -> json.append("\\b");
      case '\f' -> json.append("\\f");
      case '\n' -> json.append("\\n");
      case '\r' -> json.append("\\r");
      case '\t' -> json.append("\\t");
      default -> json.append("\\u").append(HexFormat.of().toHexDigits(c));
    }
  }
}
