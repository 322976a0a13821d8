package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * Replacements of the functions that describe properties.
 *
 * <p>The originals return a Java object as the value of a property that is created on first use but
 * has not been used yet. The replacements create such a property first.
 */
final class PropertyDescriptors {

  private static final String ONE = "getOwnPropertyDescriptor";
  private static final String ALL = "getOwnPropertyDescriptors";
  private static final String VALUE = "value";

  private PropertyDescriptors() {}

  /** Replaces the functions in a realm. */
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
  private static Object one(
      Context cx, Scriptable global, Function described, Scriptable owner, Object[] args) {
    Object descriptor = described.call(cx, global, owner, args);
    if (isUnmade(descriptor)) {
      make((Scriptable) args[0], args[1]);
      descriptor = described.call(cx, global, owner, args);
    }
    return shown(descriptor);
  }

  /** Describes all properties of an object. */
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

  /** Returns whether a descriptor is that of a property that has not been created. */
  private static boolean isUnmade(Object descriptor) {
    return descriptor instanceof ScriptableObject object
        && object.get(VALUE, object) instanceof LazilyLoadedCtor;
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
    if (isUnmade(descriptor)) {
      ScriptableObject object = (ScriptableObject) descriptor;
      object.put(VALUE, object, Undefined.instance);
    }
    return descriptor;
  }
}
