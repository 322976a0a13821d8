package io.tokenvault.engine.worker.node.script;

import java.math.BigInteger;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Undefined;

/**
 * Arguments of a call by a script, with the checks and error messages of Node.js. Missing arguments
 * are undefined.
 *
 * <p>Methods that take a {@code name} throw a {@code NodeError} with that name if the value has the
 * wrong type.
 */
public record CallArguments(Object[] values) {

  public int size() {
    return values.length;
  }

  /** Returns an argument; undefined if it is missing. */
  public Object at(int index) {
    return index < values.length ? values[index] : Undefined.instance;
  }

  /** Returns whether an argument is present and not undefined. */
  public boolean has(int index) {
    return index < values.length && !Undefined.isUndefined(values[index]);
  }

  public boolean isText(int index) {
    return at(index) instanceof CharSequence;
  }

  public boolean isFunction(int index) {
    return at(index) instanceof Callable;
  }

  /** Returns whether a value is a number; a {@code BigInt} is not. */
  public static boolean isNumber(Object value) {
    return value instanceof Number && !(value instanceof BigInteger);
  }

  /**
   * Returns a string argument.
   *
   * @throws NodeError if it is not a string
   */
  public String text(int index, String name) {
    return text(at(index), name);
  }

  /**
   * Returns a value as a string.
   *
   * @throws NodeError if it is not a string
   */
  public static String text(Object value, String name) {
    if (!(value instanceof CharSequence)) {
      throw NodeError.argument(name, "of type string", value);
    }
    return value.toString();
  }

  /**
   * Returns a value as a number.
   *
   * @throws NodeError if it is not a number
   */
  public static double number(Object value, String name) {
    if (!isNumber(value)) {
      throw NodeError.argument(name, "of type number", value);
    }
    return ((Number) value).doubleValue();
  }

  /**
   * Returns a number between {@code min} and {@code max}, which may have a fraction.
   *
   * @throws NodeError if it is not a number or out of range
   */
  public static double number(Object value, String name, long min, long max) {
    double number = number(value, name);
    if (!(number >= min && number <= max)) {
      throw NodeError.outOfRange(name, ">= " + min + " && <= " + max, value);
    }
    return number;
  }

  /**
   * Returns an integer between {@code min} and {@code max}; larger ones than an {@code int} become
   * the largest {@code int}.
   *
   * @throws NodeError if it is not an integer or out of range
   */
  public static int whole(Object value, String name, long min, long max) {
    double number = number(value, name);
    if (number != Math.rint(number) || Double.isInfinite(number)) {
      throw NodeError.outOfRange(name, "an integer", value);
    }
    return (int) Math.min(Integer.MAX_VALUE, (long) number(value, name, min, max));
  }

  /**
   * Returns a function argument.
   *
   * @throws NodeError if it is not a function
   */
  public Callable function(int index, String name) {
    if (!isFunction(index)) {
      throw NodeError.argument(name, "of type function", at(index));
    }
    return (Callable) at(index);
  }
}
