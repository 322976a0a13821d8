package io.tokenvault.engine.worker.node;

import org.mozilla.javascript.ScriptableObject;

/** {@code require('buffer')}. */
final class BufferModule {
  private static final int LONGEST_TEXT = 536870888;

  private BufferModule() {}

  static ScriptableObject in(ByteRealm realm) {
    return realm.once("module buffer", ScriptableObject.class, () -> define(realm));
  }

  private static ScriptableObject define(ByteRealm realm) {
    return Members.listed(realm, realm.object())
        .lazy("Buffer", () -> BufferClass.in(realm))
        .method("transcode", 3, BufferModule::transcode)
        .method("isUtf8", 1, (r, self, args) -> isUtf8(r, args))
        .method("isAscii", 1, (r, self, args) -> isAscii(r, args))
        .value("kMaxLength", (double) BufferClass.MAX_LENGTH)
        .value("kStringMaxLength", LONGEST_TEXT)
        .lazy("btoa", () -> BinaryText.btoa(realm))
        .lazy("atob", () -> BinaryText.atob(realm))
        .lazy("constants", () -> constants(realm))
        .value("INSPECT_MAX_BYTES", ByteView.INSPECTED)
        .object();
  }

  private static ScriptableObject constants(ByteRealm realm) {
    return Members.listed(realm, realm.object())
        .value("MAX_LENGTH", (double) BufferClass.MAX_LENGTH)
        .value("MAX_STRING_LENGTH", LONGEST_TEXT)
        .object();
  }

  private static Object transcode(ByteRealm realm, Object self, Args args) {
    ByteView source = BufferClass.bytes(args.at(0), "source");
    realm.spend(3L * source.length);
    String text = transcoded(args.at(1)).decode(source);
    Encoding target = transcoded(args.at(2));
    return realm.buffer(
        target == Encoding.ASCII || target == Encoding.LATIN1
            ? substituted(text, target == Encoding.ASCII ? 0x7f : 0xff)
            : target.encode(text));
  }

  private static Encoding transcoded(Object name) {
    Encoding encoding = name instanceof CharSequence ? Encoding.named(name.toString()) : null;
    boolean none =
        encoding == null
            || encoding == Encoding.HEX
            || encoding == Encoding.BASE64
            || encoding == Encoding.BASE64URL;
    if (none) {
      throw NodeError.error(
          "U_ILLEGAL_ARGUMENT_ERROR", "Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]");
    }
    return encoding;
  }

  private static byte[] substituted(String text, int highest) {
    int[] points = text.codePoints().toArray();
    byte[] bytes = new byte[points.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (points[i] <= highest ? points[i] : '?');
    }
    return bytes;
  }

  private static ByteView input(ByteRealm realm, Args args) {
    ByteView bytes = ByteView.of(args.at(0));
    if (bytes == null) {
      throw NodeError.argument(
          "input", "an instance of ArrayBuffer, Buffer, or TypedArray", args.at(0));
    }
    realm.spend(bytes.length);
    return bytes;
  }

  private static Object isUtf8(ByteRealm realm, Args args) {
    return TextDecoding.isUtf8(input(realm, args));
  }

  private static Object isAscii(ByteRealm realm, Args args) {
    ByteView bytes = input(realm, args);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes.at(i) > 0x7f) {
        return false;
      }
    }
    return true;
  }
}
