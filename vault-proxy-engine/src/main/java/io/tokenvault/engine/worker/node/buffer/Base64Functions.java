package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** The functions {@code atob} and {@code btoa} of the HTML standard. */
public final class Base64Functions {
  private static final String INVALID = "Invalid character";

  /** The legacy code of an {@code InvalidCharacterError}. */
  private static final int INVALID_CHARACTER = 5;

  private Base64Functions() {}

  /** Returns the function {@code atob} of a realm, which decodes Base64 to a binary string. */
  public static LambdaFunction atob(ByteRealm realm) {
    return realm.once(
        "atob",
        LambdaFunction.class,
        () -> realm.function("atob", 1, (r, self, args) -> decode(r, input(r, args))));
  }

  /** Returns the function {@code btoa} of a realm, which encodes a binary string in Base64. */
  public static LambdaFunction btoa(ByteRealm realm) {
    return realm.once(
        "btoa",
        LambdaFunction.class,
        () -> realm.function("btoa", 1, (r, self, args) -> encode(r, input(r, args))));
  }

  /** Returns the argument as a string and counts the work. */
  private static String input(ByteRealm realm, CallArguments args) {
    if (args.size() == 0) {
      throw NodeError.type("ERR_MISSING_ARGS", "The \"input\" argument must be specified");
    }
    String text = ScriptRuntime.toString(args.at(0));
    realm.spend(text.length());
    return text;
  }

  /** Encodes a string whose characters are bytes. */
  private static Object encode(ByteRealm realm, String text) {
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
  private static Object decode(ByteRealm realm, String text) {
    String digits = text.replaceAll("[\\t\\n\\f\\r ]", "");
    if (digits.length() % 4 == 0) {
      digits =
          digits.endsWith("==") ? cut(digits, 2) : digits.endsWith("=") ? cut(digits, 1) : digits;
    }
    for (int i = 0; i < digits.length(); i++) {
      if (!isDigit(digits.charAt(i))) {
        throw refused(realm, INVALID);
      }
    }
    if (digits.length() % 4 == 1) {
      throw refused(realm, "The string to be decoded is not correctly encoded.");
    }
    return TextEncoding.LATIN1.decode(ByteView.of(LenientBase64.decode(digits)));
  }

  private static String cut(String text, int count) {
    return text.substring(0, text.length() - count);
  }

  private static boolean isDigit(char c) {
    boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '+' || c == '/';
  }

  /**
   * Returns an exception with the name and code of the {@code DOMException} that Node.js throws.
   */
  private static RhinoException refused(ByteRealm realm, String message) {
    Scriptable error = realm.errorObject(NodeError.error(null, message));
    ScriptableObject.defineProperty(
        error, "name", "InvalidCharacterError", ScriptableObject.DONTENUM);
    ScriptableObject.defineProperty(error, "code", INVALID_CHARACTER, ScriptableObject.DONTENUM);
    return realm.throwing(error);
  }
}
