package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** {@code atob} and {@code btoa}. */
public final class Base64Functions {
  private static final String INVALID = "Invalid character";
  private static final int INVALID_CHARACTER = 5;

  private Base64Functions() {}

  public static LambdaFunction atob(ByteRealm realm) {
    return realm.once(
        "atob",
        LambdaFunction.class,
        () -> realm.function("atob", 1, (r, self, args) -> decode(r, input(r, args))));
  }

  public static LambdaFunction btoa(ByteRealm realm) {
    return realm.once(
        "btoa",
        LambdaFunction.class,
        () -> realm.function("btoa", 1, (r, self, args) -> encode(r, input(r, args))));
  }

  private static String input(ByteRealm realm, CallArguments args) {
    if (args.size() == 0) {
      throw NodeError.type("ERR_MISSING_ARGS", "The \"input\" argument must be specified");
    }
    String text = ScriptRuntime.toString(args.at(0));
    realm.spend(text.length());
    return text;
  }

  private static Object encode(ByteRealm realm, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        throw refused(realm, INVALID);
      }
    }
    return TextEncoding.BASE64.decode(ByteView.of(TextEncoding.LATIN1.encode(text)));
  }

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

  /** The DOMException of Node.js, as an error of the same name and code. */
  private static RhinoException refused(ByteRealm realm, String message) {
    Scriptable error = realm.errorObject(NodeError.error(null, message));
    ScriptableObject.defineProperty(
        error, "name", "InvalidCharacterError", ScriptableObject.DONTENUM);
    ScriptableObject.defineProperty(error, "code", INVALID_CHARACTER, ScriptableObject.DONTENUM);
    return realm.throwing(error);
  }
}
