package io.tokenvault.engine.worker.node;

import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SerializableCallable;

/**
 * {@code toLocaleString} and its like without {@code Intl}: American English, as Node.js has it
 * when nothing else is asked for. Another locale, or an option that is not known, is refused.
 */
final class LocaleText {

  private LocaleText() {}

  static void install(ScriptableObject realm) {
    add(
        realm,
        "Number",
        "toLocaleString",
        (cx, scope, self, args) ->
            NumberText.write(ScriptRuntime.toNumber(self), LocaleOptions.read(cx, realm, args)));
    add(
        realm,
        "Date",
        "toLocaleString",
        (cx, scope, self, args) ->
            DateText.write(time(self), LocaleOptions.read(cx, realm, args), true, true));
    add(
        realm,
        "Date",
        "toLocaleDateString",
        (cx, scope, self, args) ->
            DateText.write(time(self), LocaleOptions.read(cx, realm, args), true, false));
    add(
        realm,
        "Date",
        "toLocaleTimeString",
        (cx, scope, self, args) ->
            DateText.write(time(self), LocaleOptions.read(cx, realm, args), false, true));
    add(
        realm,
        "Date",
        "toString",
        (cx, scope, self, args) -> DateText.write(time(self), true, true));
    add(
        realm,
        "Date",
        "toTimeString",
        (cx, scope, self, args) -> DateText.write(time(self), false, true));
  }

  private static double time(Scriptable self) {
    if (!self.getClassName().equals("Date")) {
      throw ScriptRuntime.typeError("this is not a Date object.");
    }
    return ScriptRuntime.toNumber(self);
  }

  private static void add(
      ScriptableObject realm, String type, String name, SerializableCallable code) {
    ScriptableObject prototype = (ScriptableObject) ScriptableObject.getClassPrototype(realm, type);
    LambdaFunction function = new LambdaFunction(realm, name, 0, code);
    prototype.defineProperty(name, function, ScriptableObject.DONTENUM);
  }
}
