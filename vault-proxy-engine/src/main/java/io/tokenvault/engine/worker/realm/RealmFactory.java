package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.NodeSurface;
import io.tokenvault.engine.worker.node.script.RealmServices;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * Factory of realms: the standard objects of the language, without those that only Rhino has, and
 * the globals of Node.js. Thread-safe.
 */
public final class RealmFactory {

  private final ScriptContextFactory contexts;

  private final NodeSurface surface;

  private final EngineCorrections corrections;

  /** The names of globals to remove. */
  private static final List<String> GLOBALS =
      names(
          "With Call Script Continuation JavaException InternalError CallSite uneval Iterator"
              + " StopIteration isXMLName __GeneratorFunction");

  /** The static functions to remove, by their constructors. */
  private static final Map<String, List<String>> STATICS =
      Map.of(
          "Object",
          List.of("groupBy"),
          "Array",
          names(
              "concat every filter find findIndex findLast findLastIndex forEach indexOf join"
                  + " lastIndexOf map pop push reduce reduceRight reverse shift slice some sort"
                  + " splice unshift"),
          "String",
          names(
              "charAt charCodeAt concat equalsIgnoreCase indexOf lastIndexOf localeCompare match"
                  + " replace replaceAll search slice split substr substring toLocaleLowerCase"
                  + " toLowerCase toUpperCase"),
          "Promise",
          names("try withResolvers"));

  /** The methods to remove, by their constructors. */
  private static final Map<String, List<String>> METHODS =
      Map.of(
          "Object", names("toSource"),
          "Function", names("toSource arity"),
          "Array", names("toSource"),
          "String", names("toSource equals equalsIgnoreCase"),
          "Number", names("toSource"),
          "Boolean", names("toSource"),
          "BigInt", names("toSource"),
          "Date", names("toSource"),
          "RegExp", names("toSource prefix"));

  private static final String ONE = "getOwnPropertyDescriptor";

  private static final String ALL = "getOwnPropertyDescriptors";

  private static final String DESCRIBED_VALUE = "value";

  /** The end of the source of a function of the host. */
  private static final String NATIVE = "{\n\t[native code]\n}\n";

  /**
   * Creates a factory and parses the corrections.
   *
   * @param surface the globals and modules of Node.js, shared by all realms
   */
  public RealmFactory(ScriptContextFactory contexts, NodeSurface surface) {
    this.contexts = contexts;
    this.surface = surface;
    this.corrections = contexts.unmetered(EngineCorrections::new);
  }

  /** Builds a realm. The work is not counted for any invocation. */
  public Realm build() {
    return contexts.unmetered(this::buildStrictly);
  }

  /**
   * Builds a realm in strict mode. In it, Rhino does not define {@code arguments} and the number
   * {@code arity} for each function that it creates, which saves a seventh of the time, and a
   * property that cannot be changed as it is here is an error.
   */
  private Realm buildStrictly(Context context) {
    GlobalObject global = new ErrorConstructors();
    return (Realm)
        ScriptRuntime.doTopCall(
            (cx, scope, self, arguments) -> build(cx, global),
            context,
            global,
            Undefined.SCRIPTABLE_UNDEFINED,
            ScriptRuntime.emptyArgs,
            true);
  }

  private Realm build(Context cx, GlobalObject global) {
    cx.initSafeStandardObjects(global);
    AtomicReference<RealmServices> invocation = new AtomicReference<>();
    defineProto(cx, global);
    replaceObjectFunctions(global);
    global.correct("Math", RealmFactory::removeSource);
    global.correct("Map", map -> map.delete("groupBy"));
    // After those above, which cannot fail.
    corrections.install(global);
    WrappedConstructors.install(global);
    surface.define(cx, global, invocation::get);
    Realm realm = new Realm(global, surface, invocation);
    removeRhinoGlobals(global);
    replaceSource(global);
    replaceJson(global);
    return realm;
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

  private static List<String> names(String separatedByBlanks) {
    return List.of(separatedByBlanks.split(" "));
  }

  /**
   * Removes what Rhino has and Node.js has not, before any code of a transform runs; only where the
   * removal costs no time later.
   */
  static void removeRhinoGlobals(GlobalObject global) {
    STATICS.forEach((owner, names) -> names.forEach(constructor(global, owner)::delete));
    METHODS.forEach(
        (owner, names) -> names.forEach(ScriptableObject.getClassPrototype(global, owner)::delete));
    removeSource((ScriptableObject) constructor(global, "JSON"));
    GLOBALS.forEach(global::delete);
  }

  /** Removes {@code toSource}, which is permanent in a namespace until its attributes change. */
  private static void removeSource(ScriptableObject namespace) {
    namespace.setAttributes("toSource", ScriptableObject.DONTENUM);
    namespace.delete("toSource");
  }

  private static Scriptable constructor(ScriptableObject global, String name) {
    return (Scriptable) global.get(name, global);
  }

  /** Replaces functions of {@code Object} and {@code Reflect} in a realm. */
  private static void replaceObjectFunctions(GlobalObject global) {
    ScriptableObject object = (ScriptableObject) global.get("Object", global);
    replaceDescriptor(global, object);
    global.correct(
        "Reflect",
        reflect -> {
          replaceDescriptor(global, reflect);
          replaceApply(global, reflect);
        });
    Function all = (Function) object.get(ALL, object);
    replace(global, object, ALL, 1, (cx, self, args) -> describeAll(cx, global, all, object, args));
    HostFunction.replaceLazily(global, object, "assign", 2, new ObjectAssign(global, object)::call);
    ProxyProperties.install(global, object);
    FunctionProperties.install(global, object);
  }

  private static void replaceDescriptor(ScriptableObject global, ScriptableObject owner) {
    Function described = (Function) owner.get(ONE, owner);
    replace(
        global, owner, ONE, 2, (cx, self, args) -> describeOne(cx, global, described, owner, args));
  }

  /** Rhino passes a scope as {@code this} instead of undefined and null. */
  private static void replaceApply(ScriptableObject global, ScriptableObject reflect) {
    Function apply = (Function) reflect.get("apply", reflect);
    replace(
        global,
        reflect,
        "apply",
        3,
        (cx, self, args) ->
            isMissing(args, 1)
                    && ScriptRuntime.isObject(HostFunction.argument(args, 2))
                    && args[0] instanceof Function called
                ? ScriptRuntime.applyOrCall(
                    true, cx, global, called, new Object[] {args[1], args[2]})
                : apply.call(cx, global, self, args));
  }

  /** Shows functions of the host as Node.js does, since packages recognize them by this text. */
  private static void replaceSource(ScriptableObject global) {
    ScriptableObject owner =
        (ScriptableObject) ScriptableObject.getClassPrototype(global, "Function");
    Function source = (Function) owner.get("toString", owner);
    replace(
        global,
        owner,
        "toString",
        0,
        (cx, self, args) -> {
          Object text = source.call(cx, global, self, args);
          return text instanceof String shown && shown.endsWith(NATIVE)
              ? shown.substring(0, shown.length() - NATIVE.length()) + "{ [native code] }"
              : text;
        });
  }

  /**
   * Replaces how JSON is passed through a function of a script, and its writer by a faster one for
   * calls without further arguments.
   */
  private static void replaceJson(ScriptableObject global) {
    ScriptableObject json = (ScriptableObject) constructor(global, "JSON");
    Function parse = (Function) json.get("parse", json);
    replace(
        global,
        json,
        "parse",
        2,
        (cx, self, args) -> {
          if (!(HostFunction.argument(args, 1) instanceof Callable reviver)) {
            return parse.call(cx, global, self, args);
          }
          Object parsed = parse.call(cx, global, self, new Object[] {args[0]});
          return new JsonReviver(cx, global, reviver).revive(parsed);
        });
    Function own = (Function) json.get("stringify", json);
    replace(
        global,
        json,
        "stringify",
        3,
        (cx, self, args) -> {
          if (!isMissing(args, 1) || !isMissing(args, 2)) {
            return own.call(cx, global, self, withReplacer(global, args));
          }
          Object value = HostFunction.argument(args, 0);
          String text = JsonWriter.write((ScriptContext) cx, global, value, length -> {});
          return text == null ? Undefined.instance : text;
        });
  }

  /** Rhino gives a replacer indexes as numbers, and the value of a hole in its internal form. */
  private static Object[] withReplacer(ScriptableObject global, Object[] args) {
    if (HostFunction.argument(args, 1) instanceof Function replacer) {
      args[1] =
          HostFunction.named(
              global,
              "",
              2,
              (cx, scope, self, given) -> {
                Object value = given[1] == Scriptable.NOT_FOUND ? Undefined.instance : given[1];
                return replacer.call(cx, global, self, new Object[] {given[0].toString(), value});
              });
    }
    return args;
  }

  private static boolean isMissing(Object[] args, int index) {
    Object given = HostFunction.argument(args, index);
    return given == null || Undefined.isUndefined(given);
  }

  /** Body of a replacement. */
  private interface Body {
    Object call(Context cx, Scriptable self, Object[] args);
  }

  private static void replace(
      ScriptableObject global, ScriptableObject owner, String name, int arity, Body body) {
    owner.defineProperty(
        name,
        HostFunction.named(
            global, name, arity, (cx, scope, self, args) -> body.call(cx, self, args)),
        ScriptableObject.DONTENUM);
  }

  /** Describes one property. */
  private static Object describeOne(
      Context cx, Scriptable global, Function described, Scriptable owner, Object[] args) {
    try {
      Object descriptor = described.call(cx, global, owner, args);
      if (isDeferred(descriptor)) {
        make((Scriptable) args[0], args[1]);
        descriptor = described.call(cx, global, owner, args);
      }
      return shown(descriptor);
    } catch (ProxyTraps.Absent absent) {
      return Undefined.instance;
    }
  }

  /** Describes all properties of an object. */
  private static Object describeAll(
      Context cx, Scriptable global, Function described, Scriptable owner, Object[] args) {
    Scriptable found = (Scriptable) described.call(cx, global, owner, args);
    boolean made = false;
    for (Object id : ((ScriptableObject) found).getAllIds()) {
      if (isDeferred(ScriptableObject.getProperty(found, id.toString()))) {
        make((Scriptable) args[0], id);
        made = true;
      }
    }
    return made ? described.call(cx, global, owner, args) : found;
  }

  /** Returns whether a descriptor is that of a property that has not been created. */
  private static boolean isDeferred(Object descriptor) {
    return descriptor instanceof ScriptableObject object
        && object.get(DESCRIBED_VALUE, object) instanceof LazilyLoadedCtor;
  }

  /** Creates a property by reading it. */
  private static void make(Scriptable object, Object key) {
    Object unused =
        key instanceof Symbol symbol
            ? ScriptableObject.getProperty(object, symbol)
            : ScriptableObject.getProperty(object, String.valueOf(key));
  }

  /** Hides the Java object if the property could not be created, which a proxy can prevent. */
  private static Object shown(Object descriptor) {
    if (isDeferred(descriptor)) {
      ScriptableObject object = (ScriptableObject) descriptor;
      object.put(DESCRIBED_VALUE, object, Undefined.instance);
    }
    return descriptor;
  }
}
