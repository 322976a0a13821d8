package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.buffer.ByteRealm.FunctionBody;
import java.util.function.Supplier;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Defines properties of an object whose values are created when a script first reads them.
 *
 * <p>Realms serve one invocation only, so most properties are never read.
 *
 * <pre>{@code
 * LazyProperties.listed(realm, realm.object())
 *     .method("isAscii", 1, (r, self, args) -> isAscii(r, args))
 *     .lazy("Buffer", () -> BufferClass.in(realm))
 *     .object();
 * }</pre>
 */
public final class LazyProperties {
  private static final Object[] NO_ARGS = {};

  private final ByteRealm realm;
  private final ScriptableObject target;
  private final int attributes;

  private LazyProperties(ByteRealm realm, ScriptableObject target, int attributes) {
    this.realm = realm;
    this.target = target;
    this.attributes = attributes;
  }

  /** Returns a definer of properties that are not enumerable, as those of classes are. */
  public static LazyProperties hidden(ByteRealm realm, ScriptableObject target) {
    return new LazyProperties(realm, target, ScriptableObject.DONTENUM);
  }

  /**
   * Returns a definer of enumerable properties, as those of modules are: compiled {@code import}
   * statements copy all enumerable properties.
   */
  public static LazyProperties listed(ByteRealm realm, ScriptableObject target) {
    return new LazyProperties(realm, target, ScriptableObject.EMPTY);
  }

  /**
   * Defines a method.
   *
   * @param arity the value of its property {@code length}
   */
  public LazyProperties method(String name, int arity, FunctionBody body) {
    return lazy(name, () -> realm.function(name, arity, body));
  }

  /** Defines a method that can also be called with {@code new}. */
  LazyProperties constructible(String name, int arity, FunctionBody body) {
    return lazy(name, () -> realm.constructible(name, arity, body));
  }

  /** Defines a property with the value of another one, which is read when this one is. */
  LazyProperties alias(String name, String of) {
    return lazy(name, () -> ScriptableObject.getProperty(target, of));
  }

  public LazyProperties value(String name, Object value) {
    target.defineProperty(name, value, attributes);
    return this;
  }

  /** Defines a property with a getter, which is called each time a script reads the property. */
  public LazyProperties getter(String name, FunctionBody body) {
    target.defineProperty(
        realm.context(), name, self -> realm.run(name, body, self, NO_ARGS), null, attributes);
    return this;
  }

  /** Defines a property whose value is created when a script first reads it. */
  public LazyProperties lazy(String name, Supplier<Object> value) {
    lazily(target, name, value);
    if (attributes != ScriptableObject.DONTENUM) {
      target.setAttributes(name, attributes);
    }
    return this;
  }

  /**
   * Defines a property whose value is created when a script first reads it, and which is not
   * enumerable.
   *
   * <p>If the value cannot be created, for instance because the script has deleted {@code
   * Uint8Array}, it is undefined, since Rhino does not pass on an exception at this point.
   */
  public static void lazily(ScriptableObject target, String name, Supplier<Object> value) {
    new LazilyLoadedCtor(target, name, false, (cx, scope, closed) -> madeOrNone(value), false);
  }

  private static Object madeOrNone(Supplier<Object> value) {
    try {
      return value.get();
    } catch (RuntimeException e) {
      return Undefined.instance;
    }
  }

  public ScriptableObject object() {
    return target;
  }

  /** Returns a property of an argument with options; undefined if there are none. */
  public static Object option(Object options, String name) {
    return options instanceof Scriptable && !Undefined.isUndefined(options)
        ? property(options, name)
        : Undefined.instance;
  }

  /** Returns a property of an object; undefined if it is missing. */
  public static Object property(Object object, String name) {
    Object value = ScriptableObject.getProperty((Scriptable) object, name);
    return value == Scriptable.NOT_FOUND ? Undefined.instance : value;
  }
}
