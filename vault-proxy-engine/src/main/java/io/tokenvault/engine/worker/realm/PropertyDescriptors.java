package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * The functions that describe properties. Rhino's show what is made on demand as it is before it is
 * made: as an object of Java's.
 */
final class PropertyDescriptors {

  private static final String ONE = "getOwnPropertyDescriptor";
  private static final String ALL = "getOwnPropertyDescriptors";
  private static final String VALUE = "value";

  private PropertyDescriptors() {}

  static void mend(ScriptableObject global) {
    for (String owner : new String[] {"Object", "Reflect"}) {
      ScriptableObject object = (ScriptableObject) global.get(owner, global);
      Function described = (Function) object.get(ONE, object);
      replace(global, object, ONE, 2, (cx, self, args) -> one(cx, global, described, object, args));
    }
    ScriptableObject object = (ScriptableObject) global.get("Object", global);
    Function all = (Function) object.get(ALL, object);
    replace(global, object, ALL, 1, (cx, self, args) -> all(cx, global, all, object, args));
  }

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

  private static Object one(
      Context cx, Scriptable global, Function described, Scriptable owner, Object[] args) {
    Object descriptor = described.call(cx, global, owner, args);
    if (isUnmade(descriptor)) {
      make((Scriptable) args[0], args[1]);
      descriptor = described.call(cx, global, owner, args);
    }
    return shown(descriptor);
  }

  private static Object all(
      Context cx, Scriptable global, Function described, Scriptable owner, Object[] args) {
    Scriptable found = (Scriptable) described.call(cx, global, owner, args);
    boolean made = false;
    for (Object id : ((ScriptableObject) found).getAllIds()) {
      if (isUnmade(ScriptableObject.getProperty(found, id.toString()))) {
        make((Scriptable) args[0], id);
        made = true;
      }
    }
    return made ? described.call(cx, global, owner, args) : found;
  }

  private static boolean isUnmade(Object descriptor) {
    return descriptor instanceof ScriptableObject object
        && object.get(VALUE, object) instanceof LazilyLoadedCtor;
  }

  private static void make(Scriptable object, Object key) {
    Object unused =
        key instanceof Symbol symbol
            ? ScriptableObject.getProperty(object, symbol)
            : ScriptableObject.getProperty(object, String.valueOf(key));
  }

  /** A proxy may have kept it from being made. */
  private static Object shown(Object descriptor) {
    if (isUnmade(descriptor)) {
      ScriptableObject object = (ScriptableObject) descriptor;
      object.put(VALUE, object, Undefined.instance);
    }
    return descriptor;
  }
}
