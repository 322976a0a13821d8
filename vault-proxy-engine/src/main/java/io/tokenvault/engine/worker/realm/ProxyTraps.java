package io.tokenvault.engine.worker.realm;

import java.util.HashMap;
import java.util.Map;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * The handler that Rhino gets for that of a proxy: its traps are called as in Node.js, where {@code
 * construct} gets a list, {@code set} gets the proxy, and {@code false} of a trap that changes the
 * target is an error in strict mode.
 *
 * <p>Scripts never see this object: the traps of the handler are called with the handler as {@code
 * this}.
 */
final class ProxyTraps extends ScriptableObject {

  private static final long serialVersionUID = 1L;

  private static final String DEFINE = "defineProperty";

  private static final String DESCRIBE = "getOwnPropertyDescriptor";

  private final transient ScriptableObject global;
  private final transient ScriptableObject target;
  private final transient Scriptable handler;

  /** The functions for Rhino, by the names of the traps, which seldom change. */
  private final transient Map<String, Adapter> adapters = new HashMap<>();

  /** The proxy; null while it is created. */
  private transient Scriptable proxy;

  private ProxyTraps(ScriptableObject global, ScriptableObject target, Scriptable handler) {
    this.global = global;
    this.target = target;
    this.handler = handler;
  }

  /**
   * Returns the arguments of the constructor {@code Proxy} for Rhino, which accepts only objects.
   */
  static Object[] wrap(ScriptableObject global, Object[] args) {
    return args.length > 1
            && args[0] instanceof ScriptableObject target
            && args[1] instanceof ScriptableObject handler
            && !(handler instanceof Symbol)
        ? new Object[] {target, new ProxyTraps(global, target, handler)}
        : args;
  }

  /** Associates the traps with the proxy that Rhino has made of them, and returns the proxy. */
  static Scriptable associate(Scriptable proxy, Object[] wrapped) {
    ProxyTraps traps = (ProxyTraps) wrapped[1];
    traps.proxy = proxy;
    ((ScriptableObject) proxy).associateValue(ProxyTraps.class, traps);
    return proxy;
  }

  /**
   * Returns what {@code Reflect} needs to call a trap of a proxy and return its result: the trap,
   * or null if there is none, the handler and the target.
   *
   * @throws RuntimeException a {@code TypeError} if the proxy was revoked
   */
  static Object[] of(Scriptable proxy, String name) {
    proxy.getClassName();
    ProxyTraps traps = (ProxyTraps) ((ScriptableObject) proxy).getAssociatedValue(ProxyTraps.class);
    Object trap = ScriptableObject.getProperty(traps.handler, name);
    return new Object[] {trap == NOT_FOUND ? null : trap, traps.handler, traps.target};
  }

  @Override
  public String getClassName() {
    return "Object";
  }

  @Override
  public Object get(String name, Scriptable start) {
    Object trap = ScriptableObject.getProperty(handler, name);
    if (!(trap instanceof Function function)) {
      return trap;
    }
    Adapter known = adapters.get(name);
    if (known == null || known.trap() != function) {
      known = new Adapter(function, adapt(name, function));
      adapters.put(name, known);
    }
    return known.function();
  }

  private LambdaFunction adapt(String name, Function function) {
    Callable adapted =
        switch (name) {
          case "construct" -> (cx, scope, self, args) -> construct(cx, function, args);
          case "apply" -> (cx, scope, self, args) -> applied(cx, function, args);
          case "set" ->
              (cx, scope, self, args) ->
                  accepted(cx, name, function, args[0], args[1], args[2], proxy);
          case DESCRIBE -> (cx, scope, self, args) -> described(cx, function, args);
          case "deleteProperty", DEFINE ->
              (cx, scope, self, args) -> accepted(cx, name, function, args);
          default -> (cx, scope, self, args) -> function.call(cx, global, handler, args);
        };
    return new LambdaFunction(global, name, 0, adapted::call, false);
  }

  private Object construct(Context cx, Function trap, Object[] args) {
    Object list = cx.newArray(global, (Object[]) args[1]);
    Object made = trap.call(cx, global, handler, new Object[] {args[0], list, args[2]});
    if (!ScriptRuntime.isObject(made)) {
      throw ScriptRuntime.typeError("'construct' on proxy: trap returned non-object");
    }
    return made;
  }

  /** Rhino passes the global object as what is not called as a method. */
  private Object applied(Context cx, Function trap, Object[] args) {
    Object[] given = args.clone();
    given[1] = args[1] == global ? Undefined.instance : args[1];
    return trap.call(cx, global, handler, given);
  }

  /** Rhino fails if a property that the target lacks has no descriptor either. */
  private Object described(Context cx, Function trap, Object[] args) {
    Object descriptor = trap.call(cx, global, handler, withTextualName(args));
    if (Undefined.isUndefined(descriptor) && !exists(args[1])) {
      throw new Absent();
    }
    return descriptor;
  }

  private boolean exists(Object key) {
    if (key instanceof Symbol symbol) {
      return target.has(symbol, target);
    }
    return key instanceof Integer index
        ? target.has(index, target)
        : target.has(ScriptRuntime.toString(key), target);
  }

  private Object accepted(Context cx, String name, Function trap, Object... args) {
    Object result = trap.call(cx, global, handler, withTextualName(args));
    if (!ScriptRuntime.toBoolean(result) && (cx.isStrictMode() || name.equals(DEFINE))) {
      throw ScriptRuntime.typeError(
          "'" + name + "' on proxy: trap returned falsish for property '" + key(args[1]) + "'");
    }
    return result;
  }

  /**
   * Returns the arguments of a trap with the name of the property, which Rhino can pass as a
   * number.
   */
  private static Object[] withTextualName(Object[] args) {
    Object[] named = args.clone();
    named[1] = args[1] instanceof Symbol ? args[1] : ScriptRuntime.toString(args[1]);
    return named;
  }

  private static String key(Object key) {
    return key instanceof Symbol ? key.toString() : ScriptRuntime.toString(key);
  }

  /** Ends a description of a property that does not exist. */
  static final class Absent extends JavaScriptException {

    private static final long serialVersionUID = 1L;

    Absent() {
      super(Undefined.instance, null, 0);
    }
  }

  private record Adapter(Function trap, LambdaFunction function) {}
}
