package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.ScriptableObject;

/** The module {@code buffer}, as {@code require('buffer')} returns it. */
public final class BufferModule {
  /** The greatest length of a string in Node.js, for the constants of the module. */
  private static final int LONGEST_TEXT = 536870888;

  private BufferModule() {}

  /** Returns the module of a realm, which is created on first use. */
  public static ScriptableObject in(ByteRealm realm) {
    return realm.once("module buffer", ScriptableObject.class, () -> define(realm));
  }

  private static ScriptableObject define(ByteRealm realm) {
    return LazyMembers.listed(realm, realm.object())
        .lazy("Buffer", () -> BufferClass.in(realm))
        .method("transcode", 3, BufferModule::transcode)
        .method("isUtf8", 1, (r, self, args) -> isUtf8(r, args))
        .method("isAscii", 1, (r, self, args) -> isAscii(r, args))
        .value("kMaxLength", (double) BufferClass.MAX_LENGTH)
        .value("kStringMaxLength", LONGEST_TEXT)
        .lazy("btoa", () -> Base64Functions.btoa(realm))
        .lazy("atob", () -> Base64Functions.atob(realm))
        .lazy("constants", () -> constants(realm))
        .value("INSPECT_MAX_BYTES", ByteView.INSPECTED)
        .object();
  }

  /** Returns the object {@code constants}. */
  private static ScriptableObject constants(ByteRealm realm) {
    return LazyMembers.listed(realm, realm.object())
        .value("MAX_LENGTH", (double) BufferClass.MAX_LENGTH)
        .value("MAX_STRING_LENGTH", LONGEST_TEXT)
        .object();
  }

  /**
   * Implements {@code transcode}; characters that a one-byte encoding lacks become question marks.
   */
  private static Object transcode(ByteRealm realm, Object self, CallArguments args) {
    ByteView source = BufferClass.bytes(args.at(0), "source");
    realm.spend(3L * source.length);
    String text = transcoded(args.at(1)).decode(source);
    TextEncoding target = transcoded(args.at(2));
    return realm.buffer(
        target == TextEncoding.ASCII || target == TextEncoding.LATIN1
            ? substituted(text, target == TextEncoding.ASCII ? 0x7f : 0xff)
            : target.encode(text));
  }

  /** Returns an encoding that {@code transcode} supports. */
  private static TextEncoding transcoded(Object name) {
    TextEncoding encoding =
        name instanceof CharSequence ? TextEncoding.named(name.toString()) : null;
    boolean none =
        encoding == null
            || encoding == TextEncoding.HEX
            || encoding == TextEncoding.BASE64
            || encoding == TextEncoding.BASE64URL;
    if (none) {
      throw NodeError.error(
          "U_ILLEGAL_ARGUMENT_ERROR", "Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]");
    }
    return encoding;
  }

  /**
   * Encodes a string in one byte for each code point; those above {@code highest} become question
   * marks.
   */
  private static byte[] substituted(String text, int highest) {
    int[] points = text.codePoints().toArray();
    byte[] bytes = new byte[points.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (points[i] <= highest ? points[i] : '?');
    }
    return bytes;
  }

  /** Returns the bytes of the first argument and counts the work. */
  private static ByteView input(ByteRealm realm, CallArguments args) {
    ByteView bytes = ByteView.of(args.at(0));
    if (bytes == null) {
      throw NodeError.argument(
          "input", "an instance of ArrayBuffer, Buffer, or TypedArray", args.at(0));
    }
    realm.spend(bytes.length);
    return bytes;
  }

  private static Object isUtf8(ByteRealm realm, CallArguments args) {
    return TextDecoding.isUtf8(input(realm, args));
  }

  private static Object isAscii(ByteRealm realm, CallArguments args) {
    ByteView bytes = input(realm, args);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes.at(i) > 0x7f) {
        return false;
      }
    }
    return true;
  }
}
