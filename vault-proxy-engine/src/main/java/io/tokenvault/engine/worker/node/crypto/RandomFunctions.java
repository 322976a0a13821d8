package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.BufferBytes;
import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.ReceivedValue;
import java.util.UUID;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/**
 * The functions {@code randomBytes}, {@code randomFill}, {@code randomInt} and {@code randomUUID},
 * and {@code timingSafeEqual}.
 */
final class RandomFunctions {
  /** The widest range of {@code randomInt} in Node.js. */
  private static final long WIDEST = (1L << 48) - 1;

  /** {@code Number.MAX_SAFE_INTEGER}. */
  private static final double SAFE = 9007199254740991.0;

  private RandomFunctions() {}

  /** Implements {@code randomBytes(size[, callback])}. */
  static Object randomBytes(ByteRealm realm, Object self, CallArguments args) {
    int size = (int) CallArguments.number(args.at(0), "size", 0, Integer.MAX_VALUE);
    if (args.has(1)) {
      args.function(1, "callback");
    }
    realm.spend(30L * size);
    byte[] bytes = new byte[size];
    realm.random().nextBytes(bytes);
    return SignatureFunctions.answer(realm, args, 1, realm.buffer(bytes));
  }

  /**
   * Implements {@code randomFillSync(buffer[, offset][, size])}. The offset is in bytes for all
   * types of arrays.
   */
  static Object randomFillSync(ByteRealm realm, Object self, CallArguments args) {
    Object target = args.at(0);
    ByteView view = ByteView.of(target);
    if (view == null) {
      throw NodeError.argument("buf", "an instance of ArrayBuffer or ArrayBufferView", target);
    }
    int offset = BufferBytes.offset(args.at(1), "offset", view.length, 0);
    int rest = view.length - offset;
    int size =
        args.has(2) ? (int) CallArguments.number(args.at(2), "size", 0, Integer.MAX_VALUE) : rest;
    if (size > rest) {
      throw NodeError.outOfRange("size + offset", "<= " + view.length, (double) offset + size);
    }
    realm.spend(30L * size);
    byte[] bytes = new byte[size];
    realm.random().nextBytes(bytes);
    System.arraycopy(bytes, 0, view.array, view.offset + offset, size);
    return target;
  }

  /**
   * Implements {@code randomFill(buffer[, offset][, size], callback)}, which fills the buffer
   * immediately and calls back later.
   */
  static Object randomFill(ByteRealm realm, Object self, CallArguments args) {
    int last = args.isFunction(1) ? 1 : args.isFunction(2) ? 2 : 3;
    Callable callback = args.function(last, "callback");
    Object[] sync = {
      args.at(0),
      last > 1 ? args.at(1) : Undefined.instance,
      last > 2 ? args.at(2) : Undefined.instance
    };
    realm.later(callback, null, randomFillSync(realm, self, new CallArguments(sync)));
    return Undefined.instance;
  }

  /**
   * Implements {@code randomInt([min, ]max[, callback])}.
   *
   * @throws NodeError if the range is empty or too wide
   */
  static Object randomInt(ByteRealm realm, Object self, CallArguments args) {
    boolean single = !args.has(1) || args.isFunction(1);
    double min = single ? 0 : safe(args.at(0), "min");
    double max = safe(args.at(single ? 0 : 1), "max");
    int callback = single ? 1 : 2;
    if (args.has(callback)) {
      args.function(callback, "callback");
    }
    if (max <= min) {
      String range = "greater than the value of \"min\" (" + ReceivedValue.inspect(min) + ")";
      throw NodeError.outOfRange("max", range, max);
    }
    if (max - min > WIDEST) {
      throw NodeError.outOfRange("max - min", "<= " + WIDEST, max - min);
    }
    double drawn = realm.random().nextLong((long) min, (long) max);
    return SignatureFunctions.answer(realm, args, callback, drawn);
  }

  /** Returns a safe integer. */
  private static double safe(Object value, String name) {
    double number = CallArguments.isNumber(value) ? ((Number) value).doubleValue() : Double.NaN;
    if (number != Math.rint(number) || !(Math.abs(number) <= SAFE)) {
      throw NodeError.argument(name, "a safe integer", value);
    }
    return number;
  }

  /** Implements {@code randomUUID([options])}: a version 4 UUID (RFC 9562, section 5.4). */
  static Object randomUuid(ByteRealm realm, Object self, CallArguments args) {
    if (args.has(0) && !(args.at(0) instanceof Scriptable)) {
      throw NodeError.argument("options", "of type object", args.at(0));
    }
    long high = (realm.random().nextLong() & ~0xf000L) | 0x4000L;
    long low = (realm.random().nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }

  /**
   * Implements {@code timingSafeEqual(a, b)}.
   *
   * @throws NodeError a {@code RangeError} if the lengths differ
   */
  static Object timingSafeEqual(ByteRealm realm, Object self, CallArguments args) {
    byte[] first = CryptoInputs.view(args.at(0), "buf1").copy();
    byte[] second = CryptoInputs.view(args.at(1), "buf2").copy();
    if (first.length != second.length) {
      throw NodeError.range(
          "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
    }
    realm.spend(first.length);
    return java.security.MessageDigest.isEqual(first, second);
  }
}
