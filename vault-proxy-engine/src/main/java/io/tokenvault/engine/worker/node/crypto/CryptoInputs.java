package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;

/**
 * Reads arguments of {@code crypto} functions that are bytes, with the error messages of Node.js.
 */
final class CryptoInputs {
  /** The types in messages of {@code update}. */
  static final String DATA = "of type string or an instance of Buffer, TypedArray, or DataView";

  /** The types in messages of most functions. */
  static final String BYTES =
      "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView";

  private static final String VIEW = "an instance of ArrayBuffer, Buffer, TypedArray, or DataView";

  private CryptoInputs() {}

  /**
   * Returns the first argument of {@code update} as bytes: a string in the encoding of the second
   * argument, or a view. Counts the work of hashing or encrypting it.
   *
   * @throws NodeError if the argument has no bytes
   */
  static ByteView data(ByteRealm realm, CallArguments args) {
    Object value = args.at(0);
    ByteView bytes =
        value instanceof CharSequence
            ? ByteView.of(TextEncoding.lenient(args.at(1)).encode(value.toString()))
            : ByteView.ofView(value);
    if (bytes == null) {
      throw NodeError.argument("data", DATA, value);
    }
    realm.spend(3L * bytes.length);
    return bytes;
  }

  /**
   * Returns a copy of the bytes of an argument: a string in UTF-8, or any object with bytes.
   *
   * @param name the name of the argument for the error message
   */
  static byte[] bytes(Object value, String name) {
    return bytes(value, name, TextEncoding.UTF8);
  }

  /**
   * Returns a copy of the bytes of an argument.
   *
   * @param encoding the encoding of a string
   * @throws NodeError if the argument has no bytes
   */
  static byte[] bytes(Object value, String name, TextEncoding encoding) {
    byte[] bytes = bytesOrNull(value, encoding);
    if (bytes == null) {
      throw NodeError.argument(name, BYTES, value);
    }
    return bytes;
  }

  /** Returns a copy of the bytes of a value; null if it has none. */
  static byte[] bytesOrNull(Object value, TextEncoding encoding) {
    if (value instanceof CharSequence) {
      return encoding.encode(value.toString());
    }
    ByteView bytes = ByteView.of(value);
    return bytes == null ? null : bytes.copy();
  }

  /**
   * Returns the bytes of a symmetric key for a {@code KeyObject}. Strings are accepted too,
   * although the error message of Node.js does not list them.
   */
  static byte[] secret(Object value, Object encoding) {
    byte[] bytes = bytesOrNull(value, TextEncoding.lenient(encoding));
    if (bytes == null) {
      throw NodeError.argument("key", VIEW, value);
    }
    return bytes;
  }

  /** Returns the bytes of an argument that must not be a string. */
  static ByteView view(Object value, String name) {
    ByteView bytes = ByteView.of(value);
    if (bytes == null) {
      throw NodeError.type(
          "ERR_INVALID_ARG_TYPE", "The \"" + name + "\" argument must be " + VIEW + ".");
    }
    return bytes;
  }
}
