package io.tokenvault.engine.worker.node.buffer;

import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** Fills an object with members that are made when a script first asks for them. */
public final class LazyMembers {
  private static final Object[] NO_ARGS = {};

  private final ByteRealm realm;
  private final ScriptableObject target;
  private final int attributes;

  private LazyMembers(ByteRealm realm, ScriptableObject target, int attributes) {
    this.realm = realm;
    this.target = target;
    this.attributes = attributes;
  }

  /** As a class has them: not enumerable. */
  public static LazyMembers hidden(ByteRealm realm, ScriptableObject target) {
    return new LazyMembers(realm, target, ScriptableObject.DONTENUM);
  }

  /** As a module has them: enumerable, since compiled imports copy what they can enumerate. */
  public static LazyMembers listed(ByteRealm realm, ScriptableObject target) {
    return new LazyMembers(realm, target, ScriptableObject.EMPTY);
  }

  public LazyMembers method(String name, int arity, FunctionBody body) {
    return lazy(name, () -> realm.function(name, arity, body));
  }

  LazyMembers alias(String name, String of) {
    return lazy(name, () -> ScriptableObject.getProperty(target, of));
  }

  public LazyMembers value(String name, Object value) {
    target.defineProperty(name, value, attributes);
    return this;
  }

  public LazyMembers getter(String name, FunctionBody body) {
    target.defineProperty(
        realm.context(), name, self -> realm.run(name, body, self, NO_ARGS), null, attributes);
    return this;
  }

  public LazyMembers lazy(String name, Made value) {
    lazily(target, name, value);
    if (attributes != ScriptableObject.DONTENUM) {
      target.setAttributes(name, attributes);
    }
    return this;
  }

  /**
   * A member that is made when it is first asked for, not enumerable. Undefined where it cannot be
   * made, for instance without {@code Uint8Array}, since Rhino lets no error through from there.
   */
  public static void lazily(ScriptableObject target, String name, Made value) {
    new LazilyLoadedCtor(target, name, false, (cx, scope, closed) -> madeOrNone(value), false);
  }

  private static Object madeOrNone(Made value) {
    try {
      return value.make();
    } catch (RuntimeException e) {
      return Undefined.instance;
    }
  }

  public ScriptableObject object() {
    return target;
  }

  /** Makes a member's value. */
  @FunctionalInterface
  public interface Made {
    Object make();
  }

  public static Object property(Object object, String name) {
    Object value = ScriptableObject.getProperty((Scriptable) object, name);
    return value == Scriptable.NOT_FOUND ? Undefined.instance : value;
  }
}
