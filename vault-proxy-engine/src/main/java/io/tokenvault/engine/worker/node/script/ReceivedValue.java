package io.tokenvault.engine.worker.node.script;

import java.math.BigInteger;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/** Descriptions of values as the error messages of Node.js have them. */
public final class ReceivedValue {
  /** The length beyond which a string or number is shortened, in characters. */
  private static final int LONGEST = 28;

  /** The length to which it is shortened. */
  private static final int KEPT = 25;

  /** The number above which digits are separated: 2 ** 32. */
  private static final double SEPARATED_FROM = 4294967296.0;

  private ReceivedValue() {}

  /** Returns the description in messages about types, which end with "Received ...". */
  static String by(Object value) {
    if (value == null || Undefined.isUndefined(value)) {
      return inspect(value);
    }
    if (value instanceof Callable && value instanceof Scriptable function) {
      return "function " + name(function);
    }
    if (value instanceof Scriptable object && !(value instanceof Symbol)) {
      return instance(object);
    }
    boolean text = value instanceof CharSequence;
    String kept = shortened(text ? value.toString() : inspect(value));
    return "type " + ScriptRuntime.typeof(value) + " (" + (text ? quoted(kept) : kept) + ")";
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, KEPT) + "..." : text;
  }

  private static String instance(Scriptable value) {
    String name =
        ScriptableObject.getProperty(value, "constructor") instanceof Scriptable constructor
            ? name(constructor)
            : "";
    return name.isEmpty() ? inspect(value) : "an instance of " + name;
  }

  private static String name(Scriptable function) {
    Object name = ScriptableObject.getProperty(function, "name");
    return name instanceof CharSequence ? name.toString() : "";
  }

  /**
   * Returns the description of a value in the format of {@code util.inspect}, without properties.
   */
  public static String inspect(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof CharSequence) {
      return quoted(value.toString());
    }
    if (value instanceof BigInteger) {
      return value + "n";
    }
    if (value instanceof Number number) {
      boolean minusZero = number.doubleValue() == 0 && 1 / number.doubleValue() < 0;
      return minusZero ? "-0" : ScriptRuntime.toString(number.doubleValue());
    }
    if (value instanceof Symbol symbol) {
      return "Symbol(" + symbol.getName() + ")";
    }
    if (value instanceof NativeUint8Array) {
      return ByteView.of(value).inspect();
    }
    if (value instanceof Scriptable object && !Undefined.isUndefined(value)) {
      return object.getPrototype() == null ? "[Object: null prototype] {}" : "{}";
    }
    return ScriptRuntime.toString(value);
  }

  /** Returns a string in quotes; double quotes or backticks if it contains single ones. */
  private static String quoted(String text) {
    char quote = '\'';
    if (text.indexOf('\'') >= 0) {
      quote = text.indexOf('"') < 0 ? '"' : text.indexOf('`') < 0 ? '`' : '\'';
    }
    StringBuilder out = new StringBuilder().append(quote);
    for (int i = 0; i < text.length(); i++) {
      out.append(escaped(text.charAt(i), quote));
    }
    return out.append(quote).toString();
  }

  /** Escapes a character as {@code util.inspect} does. */
  private static String escaped(char c, char quote) {
    int letter = "\n\t\r\b\f".indexOf(c);
    if (letter >= 0) {
      return "\\" + "ntrbf".charAt(letter);
    }
    if (c == '\\' || c == quote) {
      return "\\" + c;
    }
    boolean control = c < ' ' || (c >= 0x7f && c < 0xa0);
    return control ? String.format("\\x%02X", (int) c) : String.valueOf(c);
  }

  /** Returns a number as messages about ranges show it: above 2 ** 32 with separators. */
  static String number(Object value) {
    if (value instanceof BigInteger big) {
      return (big.bitLength() > 32 ? separated(big.toString()) : big.toString()) + "n";
    }
    if (value instanceof Number given) {
      double number = given.doubleValue();
      boolean whole = number == Math.rint(number) && !Double.isInfinite(number);
      if (whole && Math.abs(number) > SEPARATED_FROM) {
        return separated(ScriptRuntime.toString(number));
      }
    }
    return inspect(value);
  }

  /** Inserts a separator after every third digit from the right. */
  private static String separated(String digits) {
    StringBuilder out = new StringBuilder(digits);
    int start = digits.startsWith("-") ? 1 : 0;
    for (int i = digits.length() - 3; i > start; i -= 3) {
      out.insert(i, '_');
    }
    return out.toString();
  }
}
