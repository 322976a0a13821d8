package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * {@code Object.defineProperty} and {@code Object.defineProperties} for functions. Rhino ignores
 * another value of their {@code length}, and does not let scripts define their {@code arguments}
 * and {@code arity}.
 */
final class FunctionProperties {

  private static final String LENGTH = "length";

  private FunctionProperties() {}

  /** Replaces both functions of {@code Object} in a realm. */
  static void install(ScriptableObject global, ScriptableObject object) {
    Function define = (Function) object.get("defineProperty", object);
    HostFunction.replaceLazily(
        global,
        object,
        "defineProperty",
        3,
        (cx, scope, self, args) -> define(cx, global, define, args));
    Function defineAll = (Function) object.get("defineProperties", object);
    HostFunction.replaceLazily(
        global,
        object,
        "defineProperties",
        2,
        (cx, scope, self, args) -> defineAll(cx, global, defineAll, args));
  }

  private static Object define(Context cx, Scriptable global, Function define, Object[] args) {
    if (args.length > 2
        && args[0] instanceof BaseFunction function
        && args[1] instanceof CharSequence name) {
      makeRedefinable(function, name.toString());
    }
    return define.call(cx, global, global, args);
  }

  private static Object defineAll(Context cx, Scriptable global, Function define, Object[] args) {
    if (args.length > 1
        && args[0] instanceof BaseFunction function
        && args[1] instanceof Scriptable properties) {
      for (Object name : properties.getIds()) {
        makeRedefinable(function, name.toString());
      }
    }
    return define.call(cx, global, global, args);
  }

  /** Replaces a property that Rhino treats specially by an ordinary one. */
  private static void makeRedefinable(BaseFunction function, String name) {
    boolean isLength = name.equals(LENGTH);
    if ((!isLength && !name.equals("arguments") && !name.equals("arity"))
        || !function.has(name, function)
        || (function.getAttributes(name) & ScriptableObject.DONTENUM) == 0
        || function.getGetterOrSetter(name, 0, function, false) instanceof Function) {
      return;
    }
    Object length = isLength ? function.get(name, function) : null;
    if (!isLength) {
      function.setAttributes(name, ScriptableObject.DONTENUM);
    }
    int attributes = function.getAttributes(name);
    function.delete(name);
    if (isLength && !function.has(name, function)) {
      function.defineProperty(name, length, attributes);
    }
  }
}
