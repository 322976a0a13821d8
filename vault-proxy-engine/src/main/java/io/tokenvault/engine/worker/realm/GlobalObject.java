package io.tokenvault.engine.worker.realm;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;

/**
 * Global object that creates rarely used standard objects when they are first read, and corrects
 * them then.
 *
 * <p>Rhino would create most of them for each realm, since it looks up all constructors once the
 * standard objects are defined. That takes almost half of the time of a realm.
 */
public abstract class GlobalObject extends TopLevel {

  private static final long serialVersionUID = 1L;

  /** The constructors that Rhino looks up whenever it needs them, instead of once. */
  private static final Set<String> LOOKED_UP_BY_NAME =
      Set.of(
          ("DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array"
                  + " Int32Array Uint32Array BigInt64Array BigUint64Array Float32Array"
                  + " Float64Array")
              .split(" "));

  private final transient Map<String, Consumer<ScriptableObject>> corrections = new HashMap<>();

  /** Whether Rhino is looking up all constructors. */
  private transient boolean cachesConstructors;

  @Override
  public void cacheBuiltins(Scriptable scope, boolean sealed) {
    cachesConstructors = true;
    super.cacheBuiltins(scope, sealed);
    cachesConstructors = false;
  }

  /**
   * Corrects an object that Rhino creates when it is first read. One that a script has put in its
   * place before is left as it is.
   *
   * @param correction is passed the object of Rhino before the script sees it, and may define
   *     another in its place
   */
  void correct(String name, Consumer<ScriptableObject> correction) {
    corrections.merge(name, correction, Consumer::andThen);
  }

  @Override
  public Object get(String name, Scriptable start) {
    Consumer<ScriptableObject> correction = corrections.get(name);
    if (correction != null) {
      corrections.remove(name);
      return readFirstTime(name, start, correction);
    }
    return cachesConstructors && LOOKED_UP_BY_NAME.contains(name)
        ? NOT_FOUND
        : super.get(name, start);
  }

  private Object readFirstTime(
      String name, Scriptable start, Consumer<ScriptableObject> correction) {
    DescriptorInfo before = getOwnPropertyDescriptor(Context.getCurrentContext(), name);
    Object value = super.get(name, start);
    if (before != null && before.value instanceof LazilyLoadedCtor) {
      correction.accept((ScriptableObject) value);
      return super.get(name, start);
    }
    return value;
  }
}
