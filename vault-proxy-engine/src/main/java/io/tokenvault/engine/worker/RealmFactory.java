package io.tokenvault.engine.worker;

import io.tokenvault.engine.worker.node.NodeSurface;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Constructable;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** Builds realms: the objects of the language, less what only Rhino has, and those of Node.js. */
final class RealmFactory {

  private final ScriptContexts contexts;
  private final NodeSurface surface;

  RealmFactory(ScriptContexts contexts, NodeSurface surface) {
    this.contexts = contexts;
    this.surface = surface;
  }

  Realm build() {
    return contexts.unmetered(this::build);
  }

  private Realm build(Context cx) {
    ScriptableObject global = new ErrorConstructors();
    cx.initSafeStandardObjects(global);
    RealmEnvironment environment = new RealmEnvironment();
    defineProto(cx, global);
    mendConstruct(global);
    mendAllSettled(global);
    defineAsyncIterator(cx, global);
    surface.define(cx, global, environment);
    Realm realm = new Realm(global, surface, environment);
    RhinosOwn.remove(global);
    return realm;
  }

  /** The accessor {@code __proto__}: Rhino's own way would come with {@code __parent__}. */
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

  /**
   * Rhino's {@code Reflect.construct} calls most built-in constructors as functions, which refuse,
   * when the new object shall be of another class: no class could extend Map or Promise.
   */
  private static void mendConstruct(ScriptableObject global) {
    ScriptableObject reflect = (ScriptableObject) global.get("Reflect", global);
    Function rhinos = (Function) reflect.get("construct", reflect);
    reflect.defineProperty(
        "construct",
        HostFunction.named(
            global,
            "construct",
            2,
            (cx, scope, self, args) -> construct(cx, scope, reflect, rhinos, args)),
        ScriptableObject.DONTENUM);
  }

  private static Object construct(
      Context cx, Scriptable scope, Scriptable reflect, Function rhinos, Object[] args) {
    boolean mended =
        args.length > 2
            && args[0] instanceof LambdaConstructor
            && args[2] instanceof Constructable
            && args[2] instanceof Scriptable;
    if (!mended) {
      return rhinos.call(cx, scope, reflect, args);
    }
    Scriptable made =
        (Scriptable) rhinos.call(cx, scope, reflect, new Object[] {args[0], args[1]});
    if (ScriptableObject.getProperty((Scriptable) args[2], "prototype")
        instanceof Scriptable prototype) {
      made.setPrototype(prototype);
    }
    return made;
  }

  private static void defineAsyncIterator(Context cx, ScriptableObject global) {
    ScriptableObject symbol = (ScriptableObject) global.get("Symbol", global);
    Function make = (Function) symbol;
    Object made =
        make.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, new Object[] {"Symbol.asyncIterator"});
    symbol.defineProperty(
        "asyncIterator",
        made,
        ScriptableObject.DONTENUM | ScriptableObject.READONLY | ScriptableObject.PERMANENT);
  }

  /** Rhino writes a blank before the word {@code rejected}. */
  private static void mendAllSettled(ScriptableObject global) {
    ScriptableObject promise = (ScriptableObject) global.get("Promise", global);
    Function rhinos = (Function) promise.get("allSettled", promise);
    Scriptable prototype = (Scriptable) promise.get("prototype", promise);
    Function then = (Function) prototype.get("then", prototype);
    Function trim = HostFunction.named(global, "", 1, (cx, scope, self, args) -> trim(args[0]));
    promise.defineProperty(
        "allSettled",
        HostFunction.named(
            global,
            "allSettled",
            1,
            (cx, scope, self, args) -> {
              Scriptable all = (Scriptable) rhinos.call(cx, scope, self, args);
              return then.call(cx, scope, all, new Object[] {trim});
            }),
        ScriptableObject.DONTENUM);
  }

  private static Object trim(Object settled) {
    if (settled instanceof NativeArray list) {
      for (int i = 0; i < list.getLength(); i++) {
        Scriptable each = (Scriptable) list.get(i, list);
        each.put("status", each, each.get("status", each).toString().trim());
      }
    }
    return settled;
  }

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
