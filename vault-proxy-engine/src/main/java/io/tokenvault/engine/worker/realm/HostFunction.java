package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/** Functions of ours that scripts call. */
public final class HostFunction {

  private HostFunction() {}

  /** A function whose Java exceptions are errors that scripts can catch, without their texts. */
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

  public static Object argument(Object[] arguments, int index) {
    return index < arguments.length ? arguments[index] : Undefined.instance;
  }
}
