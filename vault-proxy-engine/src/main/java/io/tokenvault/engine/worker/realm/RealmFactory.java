package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.compile.RealmPatches;
import io.tokenvault.engine.worker.node.NodeSurface;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Factory of realms: the standard objects of the language, without those that only Rhino has, and
 * the globals of Node.js. Thread-safe.
 */
public final class RealmFactory {

  /** The name of the script that replaces defective functions of the engine. */
  static final String MENDS = "mends";

  private final ScriptContextFactory contexts;
  private final NodeSurface surface;
  private final Script mends;

  /**
   * Creates a factory and parses the replacements.
   *
   * @param surface the globals and modules of Node.js, shared by all realms
   */
  public RealmFactory(ScriptContextFactory contexts, NodeSurface surface) {
    this.contexts = contexts;
    this.surface = surface;
    this.mends = contexts.unmetered(cx -> cx.compileString(RealmPatches.source(), MENDS, 1, null));
  }

  /** Builds a realm. The work is not counted for any invocation. */
  public Realm build() {
    return contexts.unmetered(this::build);
  }

  private Realm build(Context cx) {
    ScriptableObject global = new ErrorConstructors();
    cx.initSafeStandardObjects(global);
    RealmEnvironment environment = new RealmEnvironment();
    defineProto(cx, global);
    mend(cx, global);
    surface.define(cx, global, environment);
    Realm realm = new Realm(global, surface, environment);
    RhinoGlobalsRemover.remove(global);
    PropertyDescriptors.mend(global);
    return realm;
  }

  /** Replaces functions that compiled scripts need and that Rhino implements incorrectly. */
  private void mend(Context cx, ScriptableObject global) {
    Function mends = (Function) this.mends.exec(cx, global, global);
    mends.call(cx, global, global, new Object[] {global});
  }

  /**
   * Defines the accessor {@code __proto__}. That of Rhino is available only together with {@code
   * __parent__}, which exposes scopes.
   */
  private static void defineProto(Context cx, ScriptableObject global) {
    Scriptable object = (Scriptable) global.get("Object", global);
    Function get = (Function) object.get("getPrototypeOf", object);
    Function set = (Function) object.get("setPrototypeOf", object);
    NativeObject accessor = new NativeObject();
    accessor.put(
        "get",
        accessor,
        HostFunction.named(
            global,
            "get __proto__",
            0,
            (c, scope, self, args) -> get.call(c, scope, object, new Object[] {self})));
    accessor.put(
        "set",
        accessor,
        HostFunction.named(
            global,
            "set __proto__",
            1,
            (c, scope, self, args) -> setProto(c, scope, object, set, self, args)));
    accessor.put("configurable", accessor, true);
    ScriptableObject prototype = (ScriptableObject) object.get("prototype", object);
    prototype.defineOwnProperty(cx, "__proto__", accessor);
  }

  /** Sets the prototype of an object; other values than objects and null are ignored. */
  private static Object setProto(
      Context cx,
      Scriptable scope,
      Scriptable object,
      Function set,
      Scriptable self,
      Object[] args) {
    Object value = HostFunction.argument(args, 0);
    if (value == null || ScriptRuntime.isObject(value)) {
      set.call(cx, scope, object, new Object[] {self, value});
    }
    return Undefined.instance;
  }
}
