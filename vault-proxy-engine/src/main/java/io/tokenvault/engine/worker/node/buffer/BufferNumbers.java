package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.buffer.ByteRealm.FunctionBody;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.math.BigInteger;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.mozilla.javascript.ScriptRuntime;

/**
 * Methods of {@code Buffer} that read and write numbers of one to eight bytes.
 *
 * <p>Names, ranges and error messages are those of Node.js; names with {@code UInt} also exist with
 * {@code Uint}.
 */
final class BufferNumbers {
  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);

  private BufferNumbers() {}

  /** Adds the methods to the prototype of {@code Buffer}. */
  static void define(LazyProperties properties) {
    integers(properties, "Int8", 1, true, false);
    integers(properties, "UInt8", 1, false, false);
    for (String order : new String[] {"LE", "BE"}) {
      boolean little = order.equals("LE");
      integers(properties, "Int16" + order, 2, true, little);
      integers(properties, "UInt16" + order, 2, false, little);
      integers(properties, "Int32" + order, 4, true, little);
      integers(properties, "UInt32" + order, 4, false, little);
      variable(properties, "Int" + order, true, little);
      variable(properties, "UInt" + order, false, little);
      bigs(properties, "BigInt64" + order, true, little);
      bigs(properties, "BigUInt64" + order, false, little);
      floats(properties, "Float" + order, 4, little);
      floats(properties, "Double" + order, 8, little);
    }
  }

  private static void named(
      LazyProperties properties, String name, FunctionBody read, FunctionBody write) {
    properties.method("read" + name, 0, read).method("write" + name, 1, write);
    if (name.contains("UInt")) {
      String other = name.replace("UInt", "Uint");
      properties.alias("read" + other, "read" + name).alias("write" + other, "write" + name);
    }
  }

  /**
   * Adds the methods for numbers of a fixed size.
   *
   * @param toNumber returns bits as a JavaScript number
   * @param toBits checks a value and returns it as bits
   */
  private static void fixed(
      LazyProperties properties,
      String name,
      int size,
      boolean little,
      LongFunction<Object> toNumber,
      ToLongFunction<Object> toBits) {
    named(
        properties,
        name,
        (r, self, args) -> toNumber.apply(get(self, offset(args, 0), size, little)),
        (r, self, args) ->
            put(self, toBits.applyAsLong(args.at(0)), offset(args, 1), size, little));
  }

  private static void integers(
      LazyProperties properties, String name, int size, boolean signed, boolean little) {
    fixed(
        properties,
        name,
        size,
        little,
        bits -> integer(bits, size, signed),
        value -> bits(value, size, signed));
  }

  /** Adds the methods for {@code BigInt} values of eight bytes. */
  private static void bigs(LazyProperties properties, String name, boolean signed, boolean little) {
    fixed(
        properties,
        name,
        8,
        little,
        bits -> big(bits, signed),
        value -> big(value, signed).longValue());
  }

  private static void floats(LazyProperties properties, String name, int size, boolean little) {
    fixed(properties, name, size, little, bits -> decimal(bits, size), value -> bits(value, size));
  }

  private static void variable(
      LazyProperties properties, String name, boolean signed, boolean little) {
    named(
        properties,
        name,
        (r, self, args) -> {
          if (!args.has(0)) {
            throw NodeError.argument("offset", "of type number", args.at(0));
          }
          int size = size(args.at(1));
          return integer(get(self, args.at(0), size, little), size, signed);
        },
        (r, self, args) -> {
          int size = size(args.at(2));
          return put(self, bits(args.at(0), size, signed), args.at(1), size, little);
        });
  }

  /** Returns an offset argument; 0 if it is undefined. */
  private static Object offset(CallArguments args, int index) {
    return args.has(index) ? args.at(index) : Integer.valueOf(0);
  }

  /** Returns the argument {@code byteLength}, from 1 to 6. */
  private static int size(Object value) {
    double size = CallArguments.number(value, "byteLength");
    if (size != Math.rint(size)) {
      throw NodeError.outOfRange("byteLength", "an integer", value);
    }
    if (size < 1 || size > 6) {
      throw NodeError.outOfRange("byteLength", ">= 1 and <= 6", value);
    }
    return (int) size;
  }

  /** Returns the index in the array for an offset in a buffer. */
  private static int checked(ByteView bytes, Object value, int size) {
    double offset = CallArguments.number(value, "offset");
    if (offset != Math.rint(offset) || Double.isInfinite(offset)) {
      throw NodeError.outOfRange("offset", "an integer", value);
    }
    int last = bytes.length - size;
    if (last < 0) {
      throw NodeError.outOfBounds();
    }
    if (offset < 0 || offset > last) {
      throw NodeError.outOfRange("offset", ">= 0 and <= " + last, value);
    }
    return bytes.offset + (int) offset;
  }

  /** Reads an unsigned number of {@code size} bytes; eight bytes may be negative. */
  private static long get(Object self, Object offset, int size, boolean little) {
    ByteView bytes = ByteView.self(self);
    int first = checked(bytes, offset, size);
    long value = 0;
    for (int i = 0; i < size; i++) {
      int at = little ? first + size - 1 - i : first + i;
      value = (value << 8) | (bytes.array[at] & 0xff);
    }
    return value;
  }

  /** Writes the low {@code size} bytes of a number and returns the offset after them. */
  private static Object put(Object self, long value, Object offset, int size, boolean little) {
    ByteView bytes = ByteView.self(self);
    int first = checked(bytes, offset, size);
    for (int i = 0; i < size; i++) {
      int at = little ? first + i : first + size - 1 - i;
      bytes.array[at] = (byte) (value >> (8 * i));
    }
    return (double) (first - bytes.offset + size);
  }

  /** Returns bits as a JavaScript number, with the sign extended if the number is signed. */
  private static Object integer(long bits, int size, boolean signed) {
    int unusedBits = 64 - 8 * size;
    long value = signed ? bits << unusedBits >> unusedBits : bits;
    if (value == (int) value) {
      return (int) value;
    }
    return (double) value;
  }

  /** Returns an argument as the bits of an integer after checking its range. */
  private static long bits(Object number, int size, boolean signed) {
    double value = ScriptRuntime.toNumber(number);
    double max = Math.pow(2, 8 * size - (signed ? 1 : 0)) - 1;
    double min = signed ? -max - 1 : 0;
    if (value > max || value < min) {
      throw NodeError.outOfRange("value", range(size, signed, min, max), value);
    }
    return (long) value;
  }

  /** Returns the valid range for an error message, in the wording of Node.js. */
  private static String range(int size, boolean signed, double min, double max) {
    if (size <= 4) {
      return ">= " + (long) min + " and <= " + (long) max;
    }
    int bits = 8 * size - (signed ? 1 : 0);
    String power = "2 ** " + bits;
    return (signed ? ">= -(" + power + ")" : ">= 0") + " and < " + power;
  }

  /** Returns bits as a {@code BigInt}. */
  private static Object big(long bits, boolean signed) {
    BigInteger value = BigInteger.valueOf(bits);
    return signed || bits >= 0 ? value : value.add(WORD);
  }

  /** Returns an argument as a {@code BigInt} within the range of eight bytes. */
  private static BigInteger big(Object value, boolean signed) {
    if (!(value instanceof BigInteger big)) {
      throw NodeError.type(null, "Cannot mix BigInt and other types, use explicit conversions");
    }
    boolean fits = signed ? big.bitLength() < 64 : big.signum() >= 0 && big.bitLength() <= 64;
    if (!fits) {
      String range = signed ? ">= -(2n ** 63n) and < 2n ** 63n" : ">= 0n and < 2n ** 64n";
      throw NodeError.outOfRange("value", range, big);
    }
    return big;
  }

  private static Object decimal(long bits, int size) {
    return size == 4 ? (double) Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }

  private static long bits(Object number, int size) {
    double value = ScriptRuntime.toNumber(number);
    return size == 4 ? Float.floatToIntBits((float) value) : Double.doubleToLongBits(value);
  }
}
