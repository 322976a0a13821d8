package io.tokenvault.engine.worker.node;

/** What functions of {@code crypto} take as bytes. */
final class Inputs {
  private static final String DATA =
      "of type string or an instance of Buffer, TypedArray, or DataView";
  private static final String BYTES =
      "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  private static final String VIEW = "an instance of ArrayBuffer, Buffer, TypedArray, or DataView";

  private Inputs() {}

  /** For {@code update}: text or a view. */
  static ByteView data(ByteRealm realm, Args args) {
    Object value = args.at(0);
    ByteView bytes =
        value instanceof CharSequence
            ? ByteView.of(Encoding.lenient(args.at(1)).encode(value.toString()))
            : ByteView.ofView(value);
    if (bytes == null) {
      throw NodeError.argument("data", DATA, value);
    }
    realm.spend(3L * bytes.length);
    return bytes;
  }

  /** Text, or anything that has bytes. */
  static byte[] bytes(Object value, String name) {
    return bytes(value, name, Encoding.UTF8);
  }

  static byte[] bytes(Object value, String name, Encoding encoding) {
    byte[] bytes = bytesOrNull(value, encoding);
    if (bytes == null) {
      throw NodeError.argument(name, BYTES, value);
    }
    return bytes;
  }

  static byte[] bytesOrNull(Object value, Encoding encoding) {
    if (value instanceof CharSequence) {
      return encoding.encode(value.toString());
    }
    ByteView bytes = ByteView.of(value);
    return bytes == null ? null : bytes.copy();
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
