package io.tokenvault.engine.worker.node;

import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** Fills an object with members that are made when a script first asks for them. */
final class Members {
  private static final Object[] NO_ARGS = {};

  private final ByteRealm realm;
  private final ScriptableObject target;
  private final int attributes;

  private Members(ByteRealm realm, ScriptableObject target, int attributes) {
    this.realm = realm;
    this.target = target;
    this.attributes = attributes;
  }

  /** As a class has them: not enumerable. */
  static Members hidden(ByteRealm realm, ScriptableObject target) {
    return new Members(realm, target, ScriptableObject.DONTENUM);
  }

  /** As a module has them: enumerable, since compiled imports copy what they can enumerate. */
  static Members listed(ByteRealm realm, ScriptableObject target) {
    return new Members(realm, target, ScriptableObject.EMPTY);
  }

  Members method(String name, int arity, Body body) {
    return lazy(name, () -> realm.function(name, arity, body));
  }

  Members alias(String name, String of) {
    return lazy(name, () -> ScriptableObject.getProperty(target, of));
  }

  Members value(String name, Object value) {
    target.defineProperty(name, value, attributes);
    return this;
  }

  Members getter(String name, Body body) {
    target.defineProperty(
        realm.context(), name, self -> realm.run(name, body, self, NO_ARGS), null, attributes);
    return this;
  }

  Members lazy(String name, Made value) {
    new LazilyLoadedCtor(target, name, false, (cx, scope, closed) -> value.make(), false);
    if (attributes != ScriptableObject.DONTENUM) {
      target.setAttributes(name, attributes);
    }
    return this;
  }

  ScriptableObject object() {
    return target;
  }

  /** Makes a member's value. */
  @FunctionalInterface
  interface Made {
    Object make();
  }

  static Object property(Object object, String name) {
    Object value = ScriptableObject.getProperty((Scriptable) object, name);
    return value == Scriptable.NOT_FOUND ? Undefined.instance : value;
  }
}
