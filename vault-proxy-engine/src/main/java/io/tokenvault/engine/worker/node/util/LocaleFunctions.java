package io.tokenvault.engine.worker.node.util;

import io.tokenvault.engine.worker.node.script.RealmServices;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SerializableCallable;

/**
 * {@code toLocaleString} and similar methods without {@code Intl}: American English, the default of
 * Node.js. Other locales and unknown options throw an error.
 *
 * <p>{@code toString} of {@code Date} is also replaced, since the format of Rhino differs.
 */
public final class LocaleFunctions {

  /** The cost of formatting one value; see {@link RealmServices#spend}. */
  private static final int WORK = 1000;

  private LocaleFunctions() {}

  /**
   * Replaces the methods of {@code Number} and {@code Date} in a realm.
   *
   * @param env counts the work of formatting
   */
  public static void install(ScriptableObject realm, RealmServices env) {
    add(
        realm,
        env,
        "Number",
        "toLocaleString",
        (cx, scope, self, args) ->
            NumberFormatter.write(
                ScriptRuntime.toNumber(self), LocaleOptions.read(cx, realm, args)));
    add(
        realm,
        env,
        "Date",
        "toLocaleString",
        (cx, scope, self, args) ->
            DateFormatter.write(time(self), LocaleOptions.read(cx, realm, args), true, true));
    add(
        realm,
        env,
        "Date",
        "toLocaleDateString",
        (cx, scope, self, args) ->
            DateFormatter.write(time(self), LocaleOptions.read(cx, realm, args), true, false));
    add(
        realm,
        env,
        "Date",
        "toLocaleTimeString",
        (cx, scope, self, args) ->
            DateFormatter.write(time(self), LocaleOptions.read(cx, realm, args), false, true));
    add(
        realm,
        env,
        "Date",
        "toString",
        (cx, scope, self, args) -> DateFormatter.write(time(self), true, true));
    add(
        realm,
        env,
        "Date",
        "toTimeString",
        (cx, scope, self, args) -> DateFormatter.write(time(self), false, true));
  }

  /**
   * Returns the time of a date.
   *
   * @throws RuntimeException a {@code TypeError} if the receiver is not a {@code Date}
   */
  private static double time(Scriptable self) {
    if (!self.getClassName().equals("Date")) {
      throw ScriptRuntime.typeError("this is not a Date object.");
    }
    return ScriptRuntime.toNumber(self);
  }

  /** Replaces a method; each call is counted. */
  private static void add(
      ScriptableObject realm,
      RealmServices env,
      String type,
      String name,
      SerializableCallable code) {
    ScriptableObject prototype = (ScriptableObject) ScriptableObject.getClassPrototype(realm, type);
    LambdaFunction function =
        new LambdaFunction(
            realm,
            name,
            0,
            (cx, scope, self, args) -> {
              env.spend(WORK);
              return code.call(cx, scope, self, args);
            });
    prototype.defineProperty(name, function, ScriptableObject.DONTENUM);
  }
}
