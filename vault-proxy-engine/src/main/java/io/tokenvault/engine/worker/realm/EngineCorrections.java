package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.compile.ScriptResources;
import java.util.Arrays;
import java.util.List;
import org.mozilla.javascript.Callable;
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
  static final String SCRIPT = "corrections";

  private static final SymbolKey ASYNC_ITERATOR =
      new SymbolKey("Symbol.asyncIterator", Symbol.Kind.BUILT_IN);

  private static final int CONSTANT =
      ScriptableObject.DONTENUM | ScriptableObject.READONLY | ScriptableObject.PERMANENT;

  /** The functions and the object of {@code Object} that the script uses. */
  private static final List<String> ORIGINAL =
      List.of(
          "create",
          "defineProperty",
          "getOwnPropertyDescriptor",
          "getPrototypeOf",
          "prototype",
          "setPrototypeOf");

  private final Script script;

  /** Parses the script. */
  public EngineCorrections(Context cx) {
    this.script =
        cx.compileString(
            ScriptResources.text(ScriptResources.class, "corrections.js"), SCRIPT, 1, null);
  }

  /** Corrects the standard objects of a realm. */
  public void install(GlobalObject global) {
    ScriptableObject symbol = (ScriptableObject) global.get("Symbol", global);
    symbol.defineProperty("asyncIterator", ASYNC_ITERATOR, CONSTANT);
    Functions functions = new Functions(global);
    for (String name : new String[] {"Reflect", "DataView", "Math"}) {
      global.correct(name, object -> functions.call(name, object));
    }
    ScriptableObject promise = (ScriptableObject) global.get("Promise", global);
    for (String name : new String[] {"allSettled", "any"}) {
      Object original = promise.get(name, promise);
      new LazilyLoadedCtor(
          promise, name, false, (cx, scope, closed) -> functions.call(name, original), false);
    }
  }

  /** The functions of the script in one realm. The script runs when the first of them is called. */
  private final class Functions {

    private final Scriptable global;

    /** The functions that the script calls, as they are before any other script runs. */
    private final NativeObject original = new NativeObject();

    private Scriptable functions;

    Functions(Scriptable global) {
      this.global = global;
      Scriptable object = (Scriptable) global.get("Object", global);
      for (String name : ORIGINAL) {
        original.put(name, original, object.get(name, object));
      }
      Scriptable promises = ScriptableObject.getClassPrototype(global, "Promise");
      original.put("then", original, promises.get("then", promises));
    }

    Object call(String name, Object argument) {
      Context cx = Context.getCurrentContext();
      if (functions == null) {
        put("call", 2, (c, scope, self, args) -> called(c, args));
        put("isNative", 1, (c, scope, self, args) -> !(args[0] instanceof JSFunction));
        Function made = (Function) script.exec(cx, global, global);
        functions =
            (Scriptable)
                made.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, new Object[] {original});
      }
      return ((Function) functions.get(name, functions))
          .call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, new Object[] {argument});
    }

    private void put(String name, int arity, Callable body) {
      original.put(name, original, HostFunction.named(global, name, arity, body));
    }

    private Object called(Context cx, Object[] args) {
      return ScriptRuntime.applyOrCall(
          false, cx, global, (Scriptable) args[0], Arrays.copyOfRange(args, 1, args.length));
    }
  }
}
