package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.script.ScriptHost;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.typedarrays.NativeTypedArrayView;

/**
 * {@code Object.assign}. Rhino's own function loses the elements that it sets on an array or a
 * typed array, all that it sets on a proxy, and the elements of a source that is a typed array.
 */
final class ObjectAssign {

  private final Scriptable global;
  private final Function original;
  private final Function symbolsOf;

  ObjectAssign(Scriptable global, Scriptable object) {
    this.global = global;
    this.original = (Function) object.get("assign", object);
    this.symbolsOf = (Function) object.get("getOwnPropertySymbols", object);
  }

  Object call(Context cx, Scriptable scope, Scriptable self, Object[] args) {
    boolean loses = args.length > 0 && losesElements(args[0]);
    for (int i = 1; i < args.length; i++) {
      loses |= args[i] instanceof NativeTypedArrayView;
    }
    if (!loses) {
      return original.call(cx, global, self, args);
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
    original.call(cx, global, global, new Object[] {copy, source});
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
      original.call(cx, global, global, new Object[] {target, copy});
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
}
