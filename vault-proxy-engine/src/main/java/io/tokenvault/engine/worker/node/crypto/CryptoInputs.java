package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;

/** What functions of {@code crypto} take as bytes. */
final class CryptoInputs {
  private static final String DATA =
      "of type string or an instance of Buffer, TypedArray, or DataView";
  private static final String BYTES =
      "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  private static final String VIEW = "an instance of ArrayBuffer, Buffer, TypedArray, or DataView";

  private CryptoInputs() {}

  /** For {@code update}: text or a view. */
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

  /** Text, or anything that has bytes. */
  static byte[] bytes(Object value, String name) {
    return bytes(value, name, TextEncoding.UTF8);
  }

  static byte[] bytes(Object value, String name, TextEncoding encoding) {
    byte[] bytes = bytesOrNull(value, encoding);
    if (bytes == null) {
      throw NodeError.argument(name, BYTES, value);
    }
    return bytes;
  }

  static byte[] bytesOrNull(Object value, TextEncoding encoding) {
    if (value instanceof CharSequence) {
      return encoding.encode(value.toString());
    }
    ByteView bytes = ByteView.of(value);
    return bytes == null ? null : bytes.copy();
  }

  /** A symmetric key to be made an object of: text too, which the message of Node.js leaves out. */
  static byte[] secret(Object value, Object encoding) {
    byte[] bytes = bytesOrNull(value, TextEncoding.lenient(encoding));
    if (bytes == null) {
      throw NodeError.argument("key", VIEW, value);
    }
    return bytes;
  }

  /** Bytes, but no text. */
  static ByteView view(Object value, String name) {
    ByteView bytes = ByteView.of(value);
    if (bytes == null) {
      throw NodeError.type(
          "ERR_INVALID_ARG_TYPE", "The \"" + name + "\" argument must be " + VIEW + ".");
    }
    return bytes;
  }
}
