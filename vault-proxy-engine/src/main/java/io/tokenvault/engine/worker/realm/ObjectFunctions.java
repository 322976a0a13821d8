package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.script.ScriptHost;
import java.util.ArrayList;
import java.util.List;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeTypedArrayView;

/**
 * The functions of {@code Object} and {@code Reflect} that Rhino implements otherwise than Node.js,
 * as far as they are called often; {@link EngineCorrections} has the others.
 */
final class ObjectFunctions {

  private static final String DESCRIBE_ONE = "getOwnPropertyDescriptor";
  private static final String DESCRIBE_ALL = "getOwnPropertyDescriptors";
  private static final String DESCRIBED_VALUE = "value";
  private static final String NAMES = "getOwnPropertyNames";
  private static final String LENGTH = "length";

  private final ScriptableObject global;
  private final ScriptableObject object;
  private final Function originalAssign;
  private final Function symbolsOf;

  private ObjectFunctions(GlobalObject global) {
    this.global = global;
    this.object = (ScriptableObject) global.get("Object", global);
    this.originalAssign = original("assign");
    this.symbolsOf = original("getOwnPropertySymbols");
  }

  /** Replaces the functions in a realm. */
  static void install(GlobalObject global) {
    ObjectFunctions functions = new ObjectFunctions(global);
    functions.replaceDescriptor(functions.object);
    functions.replaceDescriptors();
    HostFunction.defineLazily(global, functions.object, "assign", 2, functions::assign);
    Function describe = functions.original(DESCRIBE_ONE);
    for (String name : new String[] {"keys", "values", "entries", NAMES}) {
      functions.replaceListing(name, describe);
    }
    functions.replaceDefinition("defineProperty", 3, ObjectFunctions::makeRedefinable);
    functions.replaceDefinition("defineProperties", 2, ObjectFunctions::makeAllRedefinable);
    global.correct(
        "Reflect",
        reflect -> {
          functions.replaceDescriptor(reflect);
          functions.replaceApply(reflect);
        });
  }

  private Function original(String name) {
    return (Function) object.get(name, object);
  }

  /** Rhino describes a property that is created on first use by a Java object. */
  private void replaceDescriptor(ScriptableObject owner) {
    Function described = (Function) owner.get(DESCRIBE_ONE, owner);
    HostFunction.define(
        global,
        owner,
        DESCRIBE_ONE,
        2,
        (cx, scope, self, args) -> {
          try {
            Object descriptor = described.call(cx, global, owner, args);
            if (isDeferred(descriptor)) {
              create((Scriptable) args[0], args[1]);
              descriptor = described.call(cx, global, owner, args);
            }
            return shown(descriptor);
          } catch (ProxyTraps.Absent absent) {
            return Undefined.instance;
          }
        });
  }

  private void replaceDescriptors() {
    Function described = original(DESCRIBE_ALL);
    HostFunction.define(
        global,
        object,
        DESCRIBE_ALL,
        1,
        (cx, scope, self, args) -> {
          Scriptable found = (Scriptable) described.call(cx, global, object, args);
          boolean created = false;
          for (Object id : ((ScriptableObject) found).getAllIds()) {
            if (isDeferred(ScriptableObject.getProperty(found, id.toString()))) {
              create((Scriptable) args[0], id);
              created = true;
            }
          }
          return created ? described.call(cx, global, object, args) : found;
        });
  }

  /** Returns whether a descriptor is that of a property that has not been created. */
  private static boolean isDeferred(Object descriptor) {
    return descriptor instanceof ScriptableObject described
        && described.get(DESCRIBED_VALUE, described) instanceof LazilyLoadedCtor;
  }

  /** Creates a property by reading it. */
  private static void create(Scriptable owner, Object key) {
    Object unused =
        key instanceof Symbol symbol
            ? ScriptableObject.getProperty(owner, symbol)
            : ScriptableObject.getProperty(owner, String.valueOf(key));
  }

  /** Hides the Java object if the property could not be created, which a proxy can prevent. */
  private static Object shown(Object descriptor) {
    if (isDeferred(descriptor)) {
      ScriptableObject described = (ScriptableObject) descriptor;
      described.put(DESCRIBED_VALUE, described, Undefined.instance);
    }
    return descriptor;
  }

  /** Rhino passes a scope as {@code this} instead of undefined and null. */
  private void replaceApply(ScriptableObject reflect) {
    Function apply = (Function) reflect.get("apply", reflect);
    HostFunction.define(
        global,
        reflect,
        "apply",
        3,
        (cx, scope, self, args) ->
            HostFunction.isMissing(args, 1)
                    && ScriptRuntime.isObject(HostFunction.argument(args, 2))
                    && args[0] instanceof Function called
                ? ScriptRuntime.applyOrCall(
                    true, cx, global, called, new Object[] {args[1], args[2]})
                : apply.call(cx, global, self, args));
  }

  /**
   * Implements {@code assign}. Rhino's own function loses the elements that it sets on an array or
   * a typed array, all that it sets on a proxy, and the elements of a source that is a typed array.
   */
  private Object assign(Context cx, Scriptable scope, Scriptable self, Object[] args) {
    boolean loses = args.length > 0 && losesElements(args[0]);
    for (int i = 1; i < args.length; i++) {
      loses |= args[i] instanceof NativeTypedArrayView;
    }
    if (!loses) {
      return originalAssign.call(cx, global, self, args);
    }
    Scriptable target = ScriptRuntime.toObject(cx, global, args[0]);
    for (int i = 1; i < args.length; i++) {
      assign(cx, target, args[i]);
    }
    return target;
  }

  private static boolean losesElements(Object target) {
    // Rhino knows the elements of a frozen array as properties.
    return (target instanceof NativeArray array && array.isExtensible())
        || target instanceof NativeTypedArrayView
        || ScriptHost.isProxy(target);
  }

  /** Assigns the properties of a source: here those that Rhino would lose. */
  private void assign(Context cx, Scriptable target, Object source) {
    NativeObject copy = new NativeObject();
    if (source instanceof NativeTypedArrayView<?> view) {
      copyElements(cx, view, copy);
    }
    originalAssign.call(cx, global, global, new Object[] {copy, source});
    boolean proxy = ScriptHost.isProxy(target);
    boolean loses = losesElements(target);
    for (Object id : copy.getIds()) {
      if (id instanceof Integer index && loses) {
        target.put(index, target, copy.get(index, copy));
        copy.delete(index);
      } else if (id instanceof String name && proxy) {
        target.put(name, target, copy.get(name, copy));
        copy.delete(name);
      }
    }
    if (!proxy) {
      originalAssign.call(cx, global, global, new Object[] {target, copy});
      return;
    }
    Object symbols = symbolsOf.call(cx, global, global, new Object[] {copy});
    for (Object each : (NativeArray) symbols) {
      Symbol symbol = (Symbol) each;
      ((ScriptableObject) target).put(symbol, target, copy.get(symbol, copy));
    }
  }

  private static void copyElements(Context cx, NativeTypedArrayView<?> view, NativeObject copy) {
    int length = view.getArrayLength();
    if (cx instanceof ScriptContext context) {
      context.spend(10L * length);
    }
    for (int i = 0; i < length; i++) {
      copy.put(i, copy, view.get(i, view));
    }
  }

  /**
   * Replaces a function that lists properties. For proxies, Rhino's own functions fail if a trap
   * returns symbols, and do not ask the proxy which properties are enumerable.
   */
  private void replaceListing(String name, Function describe) {
    Function original = original(name);
    HostFunction.defineLazily(
        global,
        object,
        name,
        1,
        (cx, scope, self, args) ->
            ScriptHost.isProxy(HostFunction.argument(args, 0))
                ? list(cx, name, (ScriptableObject) args[0], describe)
                : original.call(cx, global, self, args));
  }

  private Scriptable list(Context cx, String name, ScriptableObject proxy, Function describe) {
    List<Object> listed = new ArrayList<>();
    for (Object id : proxy.getAllIds()) {
      if (!(id instanceof Symbol)) {
        String key = id.toString();
        if (name.equals(NAMES) || isEnumerable(cx, proxy, key, describe)) {
          listed.add(item(cx, name, proxy, key));
        }
      }
    }
    return cx.newArray(global, listed.toArray());
  }

  private boolean isEnumerable(Context cx, Scriptable proxy, String key, Function describe) {
    return describe.call(cx, global, object, new Object[] {proxy, key})
            instanceof ScriptableObject descriptor
        && ScriptRuntime.toBoolean(ScriptableObject.getProperty(descriptor, "enumerable"));
  }

  private Object item(Context cx, String name, Scriptable proxy, String key) {
    return switch (name) {
      case "values" -> ScriptRuntime.getObjectElem(proxy, key, cx, global);
      case "entries" ->
          cx.newArray(
              global, new Object[] {key, ScriptRuntime.getObjectElem(proxy, key, cx, global)});
      default -> key;
    };
  }

  /** Prepares a function for a definition of its properties. */
  private interface Preparation {
    void prepare(BaseFunction function, Object properties);
  }

  /**
   * Replaces a function that defines properties. Rhino ignores another value of the {@code length}
   * of a function, and does not let scripts define its {@code arguments} and {@code arity}.
   */
  private void replaceDefinition(String name, int arity, Preparation preparation) {
    Callable original = original(name);
    HostFunction.defineLazily(
        global,
        object,
        name,
        arity,
        (cx, scope, self, args) -> {
          if (args.length >= arity && args[0] instanceof BaseFunction function) {
            preparation.prepare(function, args[1]);
          }
          return original.call(cx, global, global, args);
        });
  }

  private static void makeAllRedefinable(BaseFunction function, Object properties) {
    if (properties instanceof Scriptable names) {
      for (Object name : names.getIds()) {
        makeRedefinable(function, name.toString());
      }
    }
  }

  /** Replaces a property that Rhino treats specially by an ordinary one. */
  private static void makeRedefinable(BaseFunction function, Object key) {
    String name = key instanceof CharSequence text ? text.toString() : "";
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
