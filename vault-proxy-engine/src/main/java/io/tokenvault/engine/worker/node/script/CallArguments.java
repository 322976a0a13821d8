package io.tokenvault.engine.worker.node.script;

import java.math.BigInteger;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Undefined;

/** The arguments of a call; those left out are undefined. */
public final class CallArguments {
  private final Object[] values;

  public CallArguments(Object[] values) {
    this.values = values;
  }

  public int size() {
    return values.length;
  }

  public Object at(int index) {
    return index < values.length ? values[index] : Undefined.instance;
  }

  public boolean has(int index) {
    return index < values.length && !Undefined.isUndefined(values[index]);
  }

  public boolean isText(int index) {
    return at(index) instanceof CharSequence;
  }

  public boolean isFunction(int index) {
    return at(index) instanceof Callable;
  }

  public static boolean isNumber(Object value) {
    return value instanceof Number && !(value instanceof BigInteger);
  }

  public String text(int index, String name) {
    return text(at(index), name);
  }

  public static String text(Object value, String name) {
    if (!(value instanceof CharSequence)) {
      throw NodeError.argument(name, "of type string", value);
    }
    return value.toString();
  }

  double number(int index, String name) {
    return number(at(index), name);
  }

  public static double number(Object value, String name) {
    if (!isNumber(value)) {
      throw NodeError.argument(name, "of type number", value);
    }
    return ((Number) value).doubleValue();
  }

  /** A number, with a fraction or none, between the two. */
  public static double number(Object value, String name, long min, long max) {
    double number = number(value, name);
    if (!(number >= min && number <= max)) {
      throw NodeError.outOfRange(name, ">= " + min + " && <= " + max, value);
    }
    return number;
  }

  /** A whole number between the two. */
  public static int whole(Object value, String name, long min, long max) {
    double number = number(value, name);
    if (number != Math.rint(number) || Double.isInfinite(number)) {
      throw NodeError.outOfRange(name, "an integer", value);
    }
    return (int) Math.min(Integer.MAX_VALUE, (long) number(value, name, min, max));
  }

  public Callable function(int index, String name) {
    if (!isFunction(index)) {
      throw NodeError.argument(name, "of type function", at(index));
    }
    return (Callable) at(index);
  }
}
