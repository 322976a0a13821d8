package io.tokenvault.engine.worker.node;

import java.math.BigInteger;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Undefined;

/** The arguments of a call; those left out are undefined. */
final class Args {
  private final Object[] values;

  Args(Object[] values) {
    this.values = values;
  }

  int size() {
    return values.length;
  }

  Object at(int index) {
    return index < values.length ? values[index] : Undefined.instance;
  }

  boolean has(int index) {
    return index < values.length && !Undefined.isUndefined(values[index]);
  }

  boolean isText(int index) {
    return at(index) instanceof CharSequence;
  }

  boolean isFunction(int index) {
    return at(index) instanceof Callable;
  }

  static boolean isNumber(Object value) {
    return value instanceof Number && !(value instanceof BigInteger);
  }

  String text(int index, String name) {
    return text(at(index), name);
  }

  static String text(Object value, String name) {
    if (!(value instanceof CharSequence)) {
      throw NodeError.argument(name, "of type string", value);
    }
    return value.toString();
  }

  double number(int index, String name) {
    return number(at(index), name);
  }

  static double number(Object value, String name) {
    if (!isNumber(value)) {
      throw NodeError.argument(name, "of type number", value);
    }
    return ((Number) value).doubleValue();
  }

  /** A number, with a fraction or none, between the two. */
  static double number(Object value, String name, long min, long max) {
    double number = number(value, name);
    if (!(number >= min && number <= max)) {
      throw NodeError.outOfRange(name, ">= " + min + " && <= " + max, value);
    }
    return number;
  }

  /** A whole number between the two. */
  static int whole(Object value, String name, long min, long max) {
    double number = number(value, name);
    if (number != Math.rint(number) || Double.isInfinite(number)) {
      throw NodeError.outOfRange(name, "an integer", value);
    }
    return (int) Math.min(Integer.MAX_VALUE, (long) number(value, name, min, max));
  }

  Callable function(int index, String name) {
    if (!isFunction(index)) {
      throw NodeError.argument(name, "of type function", at(index));
    }
    return (Callable) at(index);
  }
}
