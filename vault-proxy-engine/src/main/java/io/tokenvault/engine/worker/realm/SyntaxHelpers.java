package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.compile.ScriptParser;
import io.tokenvault.engine.worker.compile.ScriptResources;
import io.tokenvault.engine.worker.node.script.ScriptHost;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.ScriptableObject.DescriptorInfo;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.json.JsonParser;

/**
 * The functions that compiled spread syntax, destructuring, computed names and {@code for ... of}
 * call, under the names of Babel's helpers.
 *
 * <p>Plain objects and arrays are handled here. For any other value, Babel's own helper runs.
 */
final class SyntaxHelpers {

  private static final String PREFIX = "vault$";

  private static final String ARITY = "arity";

  private static final String TEXTS = "helpers.json";

  /** Babel's helpers, parsed when a script first needs them. */
  private static final Map<String, Script> PARSED = new ConcurrentHashMap<>();

  /** The length from which arrays are left to Babel's helpers, whose work is counted. */
  private static final int LONG = 10_000;

  private final ScriptableObject global;

  /** Babel's helpers in this realm. */
  private final Map<String, Callable> helpers = new HashMap<>();

  /** The prototype of the iterations over arrays. */
  private final NativeObject iteration = new NativeObject();

  private final Object arrayIterator;
  private final Scriptable arrayIteratorPrototype;
  private final Object arrayNext;

  private SyntaxHelpers(ScriptableObject global) {
    this.global = global;
    Context cx = Context.getCurrentContext();
    Scriptable array = cx.newArray(global, 0);
    Callable iterator = (Callable) ScriptableObject.getProperty(array, SymbolKey.ITERATOR);
    arrayIterator = iterator;
    arrayIteratorPrototype =
        ((Scriptable) iterator.call(cx, global, array, new Object[0])).getPrototype();
    arrayNext = ScriptableObject.getProperty(arrayIteratorPrototype, "next");
  }

  /**
   * Defines the functions.
   *
   * @param global the global object, which no script has changed yet
   */
  static void define(ScriptableObject global, Scriptable scope) {
    SyntaxHelpers helpers = new SyntaxHelpers(global);
    helpers.put(scope, "objectSpread2", helpers::spread);
    helpers.put(scope, "objectWithoutProperties", helpers::rest);
    helpers.put(scope, "defineProperty", helpers::property);
    helpers.put(scope, "slicedToArray", helpers::array);
    helpers.put(scope, "toConsumableArray", helpers::copiedArray);
    helpers.put(scope, "createForOfIteratorHelper", helpers::iteration);
    helpers.put(scope, "withoutArity", SyntaxHelpers::withoutArity);
    helpers.put(scope, "withPrototype", SyntaxHelpers::withPrototype);
    helpers.defineIteration();
  }

  /**
   * Returns a value after removing the property {@code arity} of Rhino's functions from it and its
   * prototypes. The property is permanent until its attributes change; one of a script's own is
   * enumerable, unless the script hides it.
   */
  private static Object withoutArity(Context cx, Object[] args) {
    Object at = args[0];
    while (at instanceof BaseFunction function) {
      if (function.has(ARITY, function)
          && (function.getAttributes(ARITY) & ScriptableObject.DONTENUM) != 0) {
        function.setAttributes(ARITY, ScriptableObject.DONTENUM);
        function.delete(ARITY);
      }
      at = function.getPrototype();
    }
    return args[0];
  }

  /**
   * Sets the prototype of a new object, if the value is one, and returns the object. A script can
   * call this too, so that it must not make a cycle. What a proxy returns as its prototype can
   * change, so that no proxy is accepted.
   */
  private static Object withPrototype(Context cx, Object[] args) {
    ScriptableObject object = (ScriptableObject) args[1];
    refuseProxy(object);
    if (args[0] == null || (args[0] instanceof Scriptable && !isPrimitive(args[0]))) {
      Scriptable prototype = (Scriptable) args[0];
      for (Scriptable at = prototype; at != null; at = at.getPrototype()) {
        if (at == object) {
          throw ScriptRuntime.typeError("Cyclic __proto__ value");
        }
        refuseProxy(at);
      }
      if (object.isExtensible()) {
        object.setPrototype(prototype);
      }
    }
    return object;
  }

  private static void refuseProxy(Scriptable object) {
    if (ScriptHost.isProxy(object)) {
      throw ScriptRuntime.typeError("A proxy cannot be the prototype of a literal here");
    }
  }

  private static boolean isPrimitive(Object value) {
    return value instanceof Symbol || Undefined.isUndefined(value);
  }

  private void put(Scriptable scope, String name, BiFunction<Context, Object[], Object> body) {
    HostFunction.put(global, scope, PREFIX + name, (cx, inner, self, args) -> body.apply(cx, args));
  }

  /** Copies properties to the first argument: those at odd positions are spread. */
  private Object spread(Context cx, Object[] args) {
    boolean plain = args[0].getClass() == NativeObject.class;
    for (int i = 1; i < args.length; i++) {
      Object source = args[i];
      if (source == null || Undefined.isUndefined(source)) {
        continue;
      }
      if (!plain || !copy(cx, source, (NativeObject) args[0], null, i % 2 == 1)) {
        Object[] spread = {args[0], source};
        Object[] part = {args[0], null, source};
        original(cx, "objectSpread2", i % 2 == 1 ? spread : part);
      }
    }
    return args[0];
  }

  /** Returns a copy of the first argument without the properties that the second one names. */
  private Object rest(Context cx, Object[] args) {
    NativeArray excluded = (NativeArray) args[1];
    NativeObject rest = (NativeObject) cx.newObject(global);
    return args[0] != null && copy(cx, args[0], rest, excluded, true)
        ? rest
        : original(cx, "objectWithoutProperties", args);
  }

  /**
   * Copies the properties of a plain object, unless it has others than enumerable ones with strings
   * as names, which the caller leaves to Babel.
   *
   * @param excluded the names to omit; null for none
   * @param read whether accessors are read; otherwise an object with accessors is left to Babel
   */
  private static boolean copy(
      Context cx, Object from, NativeObject target, NativeArray excluded, boolean read) {
    if (from.getClass() != NativeObject.class || !target.isExtensible()) {
      return false;
    }
    NativeObject source = (NativeObject) from;
    Object[] ids = source.getIds();
    if (ids.length != source.size() || (!read && hasAccessor(source, ids))) {
      return false;
    }
    spend(cx, ids.length);
    for (Object id : ids) {
      if (excluded == null || !contains(excluded, id)) {
        Object value =
            id instanceof Integer index
                ? source.get(index, source)
                : source.get((String) id, source);
        define(cx, target, id, value == Scriptable.NOT_FOUND ? Undefined.instance : value);
      }
    }
    return true;
  }

  private static boolean hasAccessor(NativeObject source, Object[] ids) {
    for (Object id : ids) {
      String name = id instanceof Integer ? null : (String) id;
      int index = id instanceof Integer number ? number : 0;
      if (source.getGetterOrSetter(name, index, source, false) instanceof Callable
          || source.getGetterOrSetter(name, index, source, true) instanceof Callable) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(NativeArray names, Object id) {
    String name = id.toString();
    for (int i = 0; i < names.getLength(); i++) {
      if (names.get(i, names) instanceof CharSequence other && name.contentEquals(other)) {
        return true;
      }
    }
    return false;
  }

  /** Defines a property of an object, whatever the object has inherited or had before. */
  private static void define(Context cx, NativeObject target, Object id, Object value) {
    if (id instanceof Integer index ? target.has(index, target) : target.has((String) id, target)) {
      target.defineOwnProperty(cx, id, new DescriptorInfo(true, true, true, value));
    } else if (id instanceof Integer index) {
      target.put(index, target, value);
    } else {
      target.put((String) id, target, value);
    }
  }

  private static void spend(Context cx, long elements) {
    if (cx instanceof ScriptContext context) {
      context.spend(10 * elements);
    }
  }

  /** Defines a property with a computed name. */
  private Object property(Context cx, Object[] args) {
    if (args[0].getClass() == NativeObject.class
        && ((NativeObject) args[0]).isExtensible()
        && args[1] instanceof CharSequence name
        && isNoIndex(name)) {
      define(cx, (NativeObject) args[0], name.toString(), args[2]);
      return args[0];
    }
    return original(cx, "defineProperty", args);
  }

  /** Returns whether a name is certainly not that of an index. */
  private static boolean isNoIndex(CharSequence name) {
    char first = name.length() == 0 ? ' ' : name.charAt(0);
    return first != '-' && (first < '0' || first > '9');
  }

  private Object array(Context cx, Object[] args) {
    return isArray(args[0]) ? args[0] : original(cx, "slicedToArray", args);
  }

  private static boolean isArray(Object value) {
    return value != null && value.getClass() == NativeArray.class;
  }

  /** Returns a copy of an array, in which holes are undefined. */
  private Object copiedArray(Context cx, Object[] args) {
    if (!isArray(args[0]) || ((NativeArray) args[0]).getLength() > LONG) {
      return original(cx, "toConsumableArray", args);
    }
    NativeArray array = (NativeArray) args[0];
    Object[] elements = new Object[(int) array.getLength()];
    spend(cx, elements.length);
    for (int i = 0; i < elements.length; i++) {
      elements[i] = element(array, i);
    }
    return cx.newArray(global, elements);
  }

  private static Object element(NativeArray array, long index) {
    Object value = ScriptableObject.getProperty(array, (int) index);
    return value == Scriptable.NOT_FOUND ? Undefined.instance : value;
  }

  /** Returns an iteration over an array, unless a script has changed how arrays are iterated. */
  private Object iteration(Context cx, Object[] args) {
    return isArray(args[0])
            && ((NativeArray) args[0]).getLength() <= Integer.MAX_VALUE
            && ScriptableObject.getProperty((Scriptable) args[0], SymbolKey.ITERATOR)
                == arrayIterator
            && arrayIteratorPrototype.get("next", arrayIteratorPrototype) == arrayNext
            && !ScriptableObject.hasProperty(arrayIteratorPrototype, "return")
        ? new Iteration(iteration, (NativeArray) args[0])
        : original(cx, "createForOfIteratorHelper", args);
  }

  private void defineIteration() {
    HostFunction.put(global, iteration, "s", (cx, scope, self, args) -> Undefined.instance);
    HostFunction.put(global, iteration, "n", (cx, scope, self, args) -> ((Iteration) self).next());
    HostFunction.put(
        global, iteration, "e", (cx, scope, self, args) -> ((Iteration) self).caught(args[0]));
    HostFunction.put(global, iteration, "f", (cx, scope, self, args) -> ((Iteration) self).end());
  }

  /** Calls Babel's helper. */
  private Object original(Context cx, String name, Object[] args) {
    Callable helper = helpers.get(name);
    if (helper == null) {
      Script script = PARSED.computeIfAbsent(name, each -> parse(cx, each));
      helper = (Callable) script.exec(cx, global, global);
      helpers.put(name, helper);
    }
    return helper.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, args);
  }

  private Script parse(Context cx, String name) {
    try {
      Scriptable texts =
          (Scriptable)
              new JsonParser(cx, global)
                  .parseValue(ScriptResources.text(ScriptResources.class, TEXTS));
      Set<String> needs = new LinkedHashSet<>();
      collect(texts, name, needs);
      StringBuilder source = new StringBuilder("(function () {");
      for (String need : needs) {
        Scriptable helper = (Scriptable) texts.get(need, texts);
        source.append(helper.get("text", helper));
      }
      source.append("return ").append(PREFIX).append(name).append(";})()");
      return ScriptParser.parse(source.toString(), "node:syntax");
    } catch (JsonParser.ParseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds the names of a helper and of those that it needs. */
  private static void collect(Scriptable texts, String name, Set<String> names) {
    if (names.add(name)) {
      Scriptable helper = (Scriptable) texts.get(name, texts);
      for (Object need : (NativeArray) helper.get("needs", helper)) {
        collect(texts, need.toString(), names);
      }
    }
  }

  /** Iteration over an array. Its steps are one object, which the loop reads at once. */
  private static final class Iteration extends ScriptableObject {

    private static final long serialVersionUID = 1L;

    private final transient NativeArray array;
    private final transient NativeObject step = new NativeObject();
    private transient long index;
    private transient JavaScriptException caught;

    Iteration(Scriptable prototype, NativeArray array) {
      this.array = array;
      setPrototype(prototype);
      step.put("done", step, false);
    }

    @Override
    public String getClassName() {
      return "Object";
    }

    Object next() {
      if (index < array.getLength()) {
        step.put("value", step, element(array, index++));
      } else {
        index = Long.MAX_VALUE;
        step.put("value", step, Undefined.instance);
        step.put("done", step, true);
      }
      return step;
    }

    Object caught(Object error) {
      caught = new JavaScriptException(error, "", 0);
      return Undefined.instance;
    }

    Object end() {
      if (caught != null) {
        throw caught;
      }
      return Undefined.instance;
    }
  }
}
