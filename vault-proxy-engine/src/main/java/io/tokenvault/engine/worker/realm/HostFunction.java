package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** Functions of the host that scripts call. */
public final class HostFunction {

  private HostFunction() {}

  /**
   * Returns a function for scripts. A Java exception in its body becomes an error without its
   * message, which scripts can catch.
   *
   * @param arity the value of the property {@code length}
   */
  public static LambdaFunction named(Scriptable realm, String name, int arity, Callable body) {
    return new LambdaFunction(
        realm,
        name,
        arity,
        (context, scope, self, arguments) -> {
          try {
            return body.call(context, scope, self, arguments);
          } catch (RhinoException e) {
            throw e;
          } catch (RuntimeException e) {
            throw ScriptRuntime.constructError("InternalError", "The host failed");
          }
        },
        false);
  }

  /** Defines a function as a property that is not enumerable. */
  static void define(
      ScriptableObject realm, ScriptableObject owner, String name, int arity, Callable body) {
    owner.defineProperty(name, named(realm, name, arity, body), ScriptableObject.DONTENUM);
  }

  /** Defines a function of an object that is created when a script first reads it. */
  static void defineLazily(
      ScriptableObject realm, ScriptableObject owner, String name, int arity, Callable body) {
    new LazilyLoadedCtor(
        owner, name, false, (cx, scope, closed) -> plain(named(realm, name, arity, body)), false);
  }

  /** Adds a function to an object that only code of the worker and of the compiler reads. */
  static void put(Scriptable realm, Scriptable target, String name, Callable body) {
    target.put(name, target, named(realm, name, 0, body));
  }

  /** Returns a function without the properties that Rhino adds outside of strict mode. */
  private static LambdaFunction plain(LambdaFunction function) {
    for (String name : new String[] {"arguments", "arity"}) {
      if (function.has(name, function)) {
        function.setAttributes(name, ScriptableObject.DONTENUM);
        function.delete(name);
      }
    }
    return function;
  }

  /** Returns an argument; undefined if it is missing. */
  public static Object argument(Object[] arguments, int index) {
    return index < arguments.length ? arguments[index] : Undefined.instance;
  }

  /** Returns whether an argument is missing, undefined or null. */
  static boolean isMissing(Object[] arguments, int index) {
    Object given = argument(arguments, index);
    return given == null || Undefined.isUndefined(given);
  }
}
