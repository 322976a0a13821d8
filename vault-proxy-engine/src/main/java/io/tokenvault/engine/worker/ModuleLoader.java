package io.tokenvault.engine.worker;

import io.tokenvault.engine.worker.LoadedBundle.Unit;
import io.tokenvault.engine.worker.realm.HostFunction;
import io.tokenvault.engine.worker.realm.Realm;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * CommonJS module loader of one realm. A module runs once; in a cycle it sees what the other module
 * has exported so far.
 */
final class ModuleLoader {

  private final Realm realm;
  private final LoadedBundle bundle;

  /** The module objects by id, including those that are still running. */
  private final Map<String, Scriptable> loaded = new HashMap<>();

  ModuleLoader(Realm realm, LoadedBundle bundle) {
    this.realm = realm;
    this.bundle = bundle;
  }

  /**
   * Runs the transform and returns the function that it exports, directly or as {@code default};
   * null if there is none.
   */
  Callable exportedFunction(Context cx) {
    Object exports = run(cx, bundle.entry(), newModule(cx));
    if (isFunction(exports)) {
      return (Callable) exports;
    }
    Object byDefault =
        exports instanceof Scriptable object
            ? ScriptableObject.getProperty(object, "default")
            : null;
    return isFunction(byDefault) ? (Callable) byDefault : null;
  }

  private static boolean isFunction(Object value) {
    return value instanceof Callable && "function".equals(ScriptRuntime.typeof(value));
  }

  private Scriptable newModule(Context cx) {
    Scriptable module = cx.newObject(realm.global());
    module.put("exports", module, cx.newObject(realm.global()));
    return module;
  }

  /** Runs a program and returns its {@code module.exports}. */
  private Object run(Context cx, Unit unit, Scriptable module) {
    Scriptable global = realm.global();
    Callable body = (Callable) unit.script().exec(cx, global, global);
    Object exports = ScriptableObject.getProperty(module, "exports");
    body.call(cx, global, (Scriptable) exports, new Object[] {exports, require(unit), module});
    return ScriptableObject.getProperty(module, "exports");
  }

  /** Returns the {@code require} function for a program. */
  private Function require(Unit from) {
    return HostFunction.named(
        realm.global(),
        "require",
        1,
        (cx, scope, self, args) -> require(cx, from, HostFunction.argument(args, 0)));
  }

  /** Returns the exports of a module of the bundle, or else of a built-in module. */
  private Object require(Context cx, Unit from, Object name) {
    if (!(name instanceof CharSequence text)) {
      throw ScriptRuntime.typeError("The \"id\" argument must be of type string");
    }
    String id = from.program().resolutions().get(text.toString());
    Unit unit = id == null ? null : bundle.module(id);
    if (unit != null) {
      return exports(cx, unit);
    }
    Object builtin = realm.surface().module(cx, realm.global(), text.toString());
    if (builtin == null) {
      throw realm.newError(cx, unknown(from), "MODULE_NOT_FOUND");
    }
    return builtin;
  }

  /** Returns an error message that lists the available modules but does not quote the name. */
  private String unknown(Unit from) {
    String builtins = String.join(", ", new TreeSet<>(realm.surface().builtins()));
    String resolved = String.join(", ", new TreeSet<>(from.program().resolutions().keySet()));
    return "Cannot find module. Built in: "
        + builtins
        + "."
        + (resolved.isEmpty() ? "" : " Found when this was saved: " + resolved + ".");
  }

  /** Returns the exports of a module, running it on first use; one that throws will run again. */
  private Object exports(Context cx, Unit unit) {
    Scriptable known = loaded.get(unit.id());
    if (known != null) {
      return ScriptableObject.getProperty(known, "exports");
    }
    Scriptable module = newModule(cx);
    loaded.put(unit.id(), module);
    try {
      return unit.script() == null ? json(cx, unit, module) : run(cx, unit, module);
    } catch (RhinoException e) {
      loaded.remove(unit.id());
      throw e;
    }
  }

  private Object json(Context cx, Unit unit, Scriptable module) {
    Object value = RealmJson.parse(cx, realm.global(), unit.program().code());
    module.put("exports", module, value);
    return value;
  }
}
