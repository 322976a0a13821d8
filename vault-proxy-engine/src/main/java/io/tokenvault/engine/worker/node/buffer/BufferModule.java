package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.buffer.TextCoders.TextDecoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.util.function.BiFunction;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ScriptableObject;

/** The module {@code buffer}, as {@code require('buffer')} returns it. */
public final class BufferModule {
  /** The greatest length of a string in Node.js, for the constants of the module. */
  private static final int LONGEST_TEXT = 536870888;

  private static final String INVALID = "Invalid character";

  private BufferModule() {}

  /** Returns the module of a realm, which is created on first use. */
  public static ScriptableObject in(ByteRealm realm) {
    return realm.once("module buffer", ScriptableObject.class, () -> define(realm));
  }

  private static ScriptableObject define(ByteRealm realm) {
    return LazyProperties.listed(realm, realm.object())
        .lazy("Buffer", () -> BufferClass.in(realm))
        .method("transcode", 3, BufferModule::transcode)
        .method("isUtf8", 1, (r, self, args) -> TextDecoding.isUtf8(input(r, args)))
        .method("isAscii", 1, (r, self, args) -> isAscii(input(r, args)))
        .value("kMaxLength", (double) BufferClass.MAX_LENGTH)
        .value("kStringMaxLength", LONGEST_TEXT)
        .lazy("btoa", () -> btoa(realm))
        .lazy("atob", () -> atob(realm))
        .lazy("constants", () -> constants(realm))
        .value("INSPECT_MAX_BYTES", ByteView.INSPECTED)
        .lazy("Blob", () -> ScriptableObject.getProperty(realm.global(), "Blob"))
        .lazy("File", () -> ScriptableObject.getProperty(realm.global(), "File"))
        .object();
  }

  private static ScriptableObject constants(ByteRealm realm) {
    return LazyProperties.listed(realm, realm.object())
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

  private static boolean isAscii(ByteView bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes.at(i) > 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** Returns the function {@code atob} of a realm, which decodes Base64 to a binary string. */
  public static LambdaFunction atob(ByteRealm realm) {
    return function(realm, "atob", BufferModule::decodeBase64);
  }

  /** Returns the function {@code btoa} of a realm, which encodes a binary string in Base64. */
  public static LambdaFunction btoa(ByteRealm realm) {
    return function(realm, "btoa", BufferModule::encodeBase64);
  }

  private static LambdaFunction function(
      ByteRealm realm, String name, BiFunction<ByteRealm, String, Object> body) {
    return realm.once(
        name,
        LambdaFunction.class,
        () -> realm.function(name, 1, (r, self, args) -> body.apply(r, textInput(r, args))));
  }

  /** Returns the argument as a string and counts the work. */
  private static String textInput(ByteRealm realm, CallArguments args) {
    if (args.size() == 0) {
      throw NodeError.type("ERR_MISSING_ARGS", "The \"input\" argument must be specified");
    }
    String text = ScriptRuntime.toString(args.at(0));
    realm.spend(text.length());
    return text;
  }

  /** Encodes a string whose characters are bytes. */
  private static Object encodeBase64(ByteRealm realm, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        throw refused(realm, INVALID);
      }
    }
    return TextEncoding.BASE64.decode(ByteView.of(TextEncoding.LATIN1.encode(text)));
  }

  /**
   * Decodes Base64 by the forgiving rules of the Infra standard: whitespace is ignored and padding
   * is optional.
   */
  private static Object decodeBase64(ByteRealm realm, String text) {
    String digits = text.replaceAll("[\\t\\n\\f\\r ]", "");
    if (digits.length() % 4 == 0) {
      digits = digits.replaceFirst("={1,2}$", "");
    }
    if (!digits.matches("[A-Za-z0-9+/]*+")) {
      throw refused(realm, INVALID);
    }
    if (digits.length() % 4 == 1) {
      throw refused(realm, "The string to be decoded is not correctly encoded.");
    }
    return TextEncoding.LATIN1.decode(ByteView.of(TextEncoding.decodeBase64(digits)));
  }

  private static RhinoException refused(ByteRealm realm, String message) {
    return realm.domException("InvalidCharacterError", message);
  }
}
