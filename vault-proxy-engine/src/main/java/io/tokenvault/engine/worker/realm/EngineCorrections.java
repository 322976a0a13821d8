package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.compile.ScriptResources;
import io.tokenvault.engine.worker.node.script.ScriptHost;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JSFunction;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;

/**
 * Corrections of standard functions that Rhino lacks or implements otherwise than Node.js, in
 * JavaScript. The functions of an object are corrected when a script first uses it.
 */
public final class EngineCorrections {

  /** The name of the script in positions. */
  private static final String SCRIPT = "corrections";

  private static final List<SymbolKey> SYMBOLS =
      Stream.of("asyncIterator", "dispose", "asyncDispose")
          .map(name -> new SymbolKey("Symbol." + name, Symbol.Kind.BUILT_IN))
          .toList();

  private static final int CONSTANT =
      ScriptableObject.DONTENUM | ScriptableObject.READONLY | ScriptableObject.PERMANENT;

  /** The properties of {@code Object} that the script uses. */
  private static final List<String> OBJECT_PROPERTIES =
      List.of(
          "create",
          "getOwnPropertyDescriptor",
          "getPrototypeOf",
          "is",
          "prototype",
          "setPrototypeOf");

  /** Functions of {@code Math} whose last digit is that of Node.js. */
  private static final Map<String, DoubleUnaryOperator> MATH =
      Map.of(
          "sin", StrictMath::sin,
          "cos", StrictMath::cos,
          "tan", StrictMath::tan,
          "exp", x -> x == 1 ? Math.E : StrictMath.exp(x),
          "log", StrictMath::log,
          "log10", StrictMath::log10,
          "sinh", StrictMath::sinh,
          "cosh", x -> Math.abs(x) == 1 ? (Math.E + 1 / Math.E) / 2 : StrictMath.cosh(x),
          "tanh", StrictMath::tanh);

  /** Functions of {@code Number} that Rhino computes wrongly for a BigInt. */
  private static final Map<String, DoublePredicate> NUMBER =
      Map.of(
          "isFinite", Double::isFinite,
          "isInteger", EngineCorrections::isInteger,
          "isSafeInteger", x -> isInteger(x) && Math.abs(x) < 0x1p53);

  private final Script script;

  /** Parses the script. */
  public EngineCorrections(Context cx) {
    this.script =
        cx.compileString(
            ScriptResources.text(EngineCorrections.class, "corrections.js"), SCRIPT, 1, null);
  }

  /** Corrects the standard objects of a realm. */
  public void install(GlobalObject global) {
    ScriptableObject symbol = (ScriptableObject) global.get("Symbol", global);
    for (SymbolKey key : SYMBOLS) {
      symbol.defineProperty(key.getName().replace("Symbol.", ""), key, CONSTANT);
    }
    Functions functions = new Functions(global);
    for (String name : new String[] {"Reflect", "DataView"}) {
      global.correct(name, object -> functions.call(name, object));
    }
    global.correct("Math", math -> correctMath(global, math));
    correctNumber(global, constructor(global, "Number"));
    correctFunctions(constructor(global, "Object"), functions, "hasOwn");
    correctFunctions(constructor(global, "Promise"), functions, "allSettled", "any");
    correctFunctions(prototype(global, "String"), functions, "padStart", "padEnd");
    // Not created on first use: Rhino would then keep it in place of one that a script sets.
    HostFunction.define(
        global,
        prototype(global, "Date"),
        "toJSON",
        1,
        (cx, scope, self, args) -> toJson(ScriptRuntime.toObject(cx, global, self)));
  }

  private static void correctMath(GlobalObject global, ScriptableObject math) {
    MATH.forEach((name, function) -> replaceMath(global, math, name, function));
    Function log2 = (Function) math.get("log2", math);
    replaceMath(
        global,
        math,
        "log2",
        x ->
            exactLog2(
                x,
                ScriptRuntime.toNumber(
                    log2.call(Context.getCurrentContext(), global, math, new Object[] {x}))));
  }

  private static void replaceMath(
      GlobalObject global, ScriptableObject math, String name, DoubleUnaryOperator function) {
    HostFunction.defineLazily(
        global,
        math,
        name,
        1,
        (cx, scope, self, args) -> function.applyAsDouble(ScriptRuntime.toNumber(args, 0)));
  }

  /** Returns the exact logarithm of a power of two, and that of Rhino otherwise. */
  private static double exactLog2(double x, double ofRhino) {
    double rounded = Math.rint(ofRhino);
    return Math.pow(2, rounded) == x ? rounded : ofRhino;
  }

  private static void correctNumber(GlobalObject global, ScriptableObject number) {
    NUMBER.forEach(
        (name, test) ->
            HostFunction.defineLazily(
                global,
                number,
                name,
                1,
                (cx, scope, self, args) ->
                    HostFunction.argument(args, 0) instanceof Number value
                        && !(value instanceof BigInteger)
                        && test.test(value.doubleValue())));
  }

  private static boolean isInteger(double x) {
    return Double.isFinite(x) && Math.rint(x) == x;
  }

  /** Rhino's own function rejects a text that {@code toISOString} has concatenated. */
  private static Object toJson(Scriptable date) {
    boolean hasNoTime =
        ScriptRuntime.toPrimitive(date, ScriptRuntime.NumberClass) instanceof Number time
            && !Double.isFinite(time.doubleValue());
    return hasNoTime
        ? null
        : ScriptableObject.callMethod(date, "toISOString", ScriptRuntime.emptyArgs);
  }

  private static ScriptableObject prototype(GlobalObject global, String name) {
    return (ScriptableObject) ScriptableObject.getClassPrototype(global, name);
  }

  private static ScriptableObject constructor(GlobalObject global, String name) {
    return (ScriptableObject) global.get(name, global);
  }

  private static void correctFunctions(
      ScriptableObject owner, Functions functions, String... names) {
    for (String name : names) {
      Object original = owner.get(name, owner);
      new LazilyLoadedCtor(
          owner, name, false, (cx, scope, closed) -> functions.call(name, original), false);
    }
  }

  /** The functions of the script in one realm. The script runs when the first of them is called. */
  private final class Functions {

    private final Scriptable global;

    /** The functions that the script calls, before any other script runs. */
    private final NativeObject original = new NativeObject();

    private Scriptable functions;

    Functions(Scriptable global) {
      this.global = global;
      Scriptable object = (Scriptable) global.get("Object", global);
      for (String name : OBJECT_PROPERTIES) {
        original.put(name, original, object.get(name, object));
      }
    }

    Object call(String name, Object argument) {
      Context cx = Context.getCurrentContext();
      if (functions == null) {
        Function made = (Function) script.exec(cx, global, global);
        functions = (Scriptable) call(cx, made, original, host());
      }
      return call(cx, (Function) functions.get(name, functions), argument);
    }

    private Object call(Context cx, Function function, Object... arguments) {
      return function.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, arguments);
    }

    private Scriptable host() {
      NativeObject host = new NativeObject();
      HostFunction.put(global, host, "call", (cx, scope, self, args) -> callFunction(cx, args));
      HostFunction.put(global, host, "define", (cx, scope, self, args) -> define(args));
      HostFunction.put(
          global,
          host,
          "hasOwn",
          (cx, scope, self, args) -> hasOwn((Scriptable) args[0], (String) args[1]));
      HostFunction.put(
          global, host, "isProxy", (cx, scope, self, args) -> ScriptHost.isProxy(args[0]));
      HostFunction.put(
          global,
          host,
          "trapOf",
          (cx, scope, self, args) ->
              cx.newArray(global, ProxyTraps.of((Scriptable) args[0], (String) args[1])));
      HostFunction.put(
          global, host, "isNative", (cx, scope, self, args) -> !(args[0] instanceof JSFunction));
      return host;
    }

    /** Calls the first argument with the second one as {@code this}. */
    private Object callFunction(Context cx, Object[] args) {
      return ScriptRuntime.applyOrCall(
          false, cx, global, (Scriptable) args[0], Arrays.copyOfRange(args, 1, args.length));
    }

    private static boolean hasOwn(Scriptable object, String name) {
      return object.has(name, object);
    }

    /** Defines a property of an object; a function has the name of the property. */
    private static Object define(Object[] args) {
      String name = args[1].toString();
      if (args[2] instanceof JSFunction function) {
        function.setAttributes("name", ScriptableObject.DONTENUM);
        function.defineProperty(
            "name", name, ScriptableObject.DONTENUM | ScriptableObject.READONLY);
      }
      ((ScriptableObject) args[0]).defineProperty(name, args[2], ScriptableObject.DONTENUM);
      return Undefined.instance;
    }
  }
}
