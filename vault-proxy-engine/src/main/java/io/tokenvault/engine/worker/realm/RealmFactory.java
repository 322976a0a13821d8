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
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.ScriptableObject.DescriptorInfo;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * Factory of realms: the standard objects of the language, without those that only Rhino has, and
 * the globals of Node.js. Thread-safe.
 */
public final class RealmFactory {

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

  /** The end of the source of a function of the host. */
  private static final String NATIVE = "{\n\t[native code]\n}\n";

  private final ScriptContextFactory contexts;
  private final NodeSurface surface;
  private final EngineCorrections corrections;

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
    GlobalObject global = new GlobalObject();
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
    ObjectFunctions.install(global);
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
    LambdaFunction getter =
        HostFunction.named(
            global,
            "get __proto__",
            0,
            (c, scope, self, args) -> get.call(c, scope, object, new Object[] {self}));
    LambdaFunction setter =
        HostFunction.named(
            global,
            "set __proto__",
            1,
            (c, scope, self, args) -> {
              Object value = HostFunction.argument(args, 0);
              // Other values are ignored.
              if (value == null || ScriptRuntime.isObject(value)) {
                set.call(c, scope, object, new Object[] {self, value});
              }
              return Undefined.instance;
            });
    Object none = Scriptable.NOT_FOUND;
    ScriptableObject prototype = (ScriptableObject) object.get("prototype", object);
    prototype.defineOwnProperty(
        cx, "__proto__", new DescriptorInfo(none, none, true, getter, setter, none));
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

  /** Shows functions of the host as Node.js does, since packages recognize them by this text. */
  private static void replaceSource(ScriptableObject global) {
    ScriptableObject owner =
        (ScriptableObject) ScriptableObject.getClassPrototype(global, "Function");
    Function source = (Function) owner.get("toString", owner);
    HostFunction.define(
        global,
        owner,
        "toString",
        0,
        (cx, scope, self, args) -> {
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
    HostFunction.define(
        global,
        json,
        "parse",
        2,
        (cx, scope, self, args) -> {
          if (!(HostFunction.argument(args, 1) instanceof Callable reviver)) {
            return parse.call(cx, global, self, args);
          }
          Object parsed = parse.call(cx, global, self, new Object[] {args[0]});
          return new JsonReviver(cx, global, reviver).revive(parsed);
        });
    Function own = (Function) json.get("stringify", json);
    HostFunction.define(
        global,
        json,
        "stringify",
        3,
        (cx, scope, self, args) -> {
          if (!HostFunction.isMissing(args, 1) || !HostFunction.isMissing(args, 2)) {
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

  /**
   * Passes parsed JSON through the function of {@code JSON.parse}. Rhino passes indexes as numbers,
   * and keeps elements for which it returns undefined.
   */
  private record JsonReviver(Context cx, Scriptable global, Callable function) {
    /** Returns what the function makes of a parsed value. */
    Object revive(Object parsed) {
      NativeObject root = (NativeObject) cx.newObject(global);
      root.put("", root, parsed);
      return revive(root, "");
    }

    private Object revive(Scriptable holder, Object id) {
      Object value =
          id instanceof Integer index
              ? ScriptableObject.getProperty(holder, index)
              : ScriptableObject.getProperty(holder, (String) id);
      if (value instanceof NativeArray array) {
        for (int i = 0; i < array.getLength(); i++) {
          reviveIn(array, i);
        }
      } else if (value instanceof Scriptable object && !(value instanceof Symbol)) {
        for (Object each : object.getIds()) {
          reviveIn(object, each);
        }
      }
      Object given = value == Scriptable.NOT_FOUND ? Undefined.instance : value;
      return function.call(cx, global, holder, new Object[] {id.toString(), given});
    }

    private void reviveIn(Scriptable object, Object id) {
      Object made = revive(object, id);
      boolean gone = Undefined.isUndefined(made);
      if (id instanceof Integer index) {
        if (gone) {
          object.delete(index);
        } else {
          object.put(index, object, made);
        }
      } else if (gone) {
        object.delete((String) id);
      } else {
        object.put((String) id, object, made);
      }
    }
  }
}
