package io.tokenvault.engine.worker.realm;

import java.math.BigInteger;
import java.util.List;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Constructable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ScriptRuntimeES6;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.ByteIo;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeBigUint64Array;
import org.mozilla.javascript.typedarrays.NativeTypedArrayView;

/**
 * Constructors that wrap those of Rhino, which do less than those of Node.js: typed arrays are also
 * created from what can be iterated or has a length, and the traps of proxies are {@link
 * ProxyTraps}.
 */
final class WrappedConstructors {

  private static final List<String> TYPED_ARRAYS =
      List.of(
          ("Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array"
                  + " BigInt64Array BigUint64Array Float32Array Float64Array")
              .split(" "));

  private static final String BYTES_PER_ELEMENT = "BYTES_PER_ELEMENT";

  private static final int CONSTANT =
      ScriptableObject.DONTENUM | ScriptableObject.READONLY | ScriptableObject.PERMANENT;

  private final GlobalObject global;

  /** {@code Array.from}, which no script has replaced. */
  private final Callable arrayFrom;

  private final Scriptable array;

  /** Whether the functions that all typed arrays share have been replaced. */
  private boolean sharedCorrected;

  private WrappedConstructors(GlobalObject global) {
    this.global = global;
    this.array = (Scriptable) global.get("Array", global);
    this.arrayFrom = (Callable) array.get("from", array);
  }

  /** Replaces the constructors of a new realm, each when it is first read. */
  static void install(GlobalObject global) {
    WrappedConstructors constructors = new WrappedConstructors(global);
    for (String name : TYPED_ARRAYS) {
      global.correct(name, original -> constructors.replaceTypedArray(name, (Function) original));
    }
    global.correct("Proxy", original -> constructors.replaceProxy((Function) original));
  }

  private void replaceTypedArray(String name, Function original) {
    ScriptableObject prototype = (ScriptableObject) original.get("prototype", original);
    LambdaConstructor made =
        replace(
            name,
            3,
            prototype,
            (cx, scope, args) -> {
              Scriptable view = original.construct(cx, scope, withList(cx, args));
              return view instanceof NativeBigUint64Array longs ? new UnsignedLongs(longs) : view;
            });
    ScriptableObject shared = (ScriptableObject) original.getPrototype();
    made.setPrototype(shared);
    correctShared(shared, (ScriptableObject) prototype.getPrototype());
    made.setPrototypePropertyAttributes(CONSTANT);
    made.defineProperty(BYTES_PER_ELEMENT, original.get(BYTES_PER_ELEMENT, original), CONSTANT);
    ScriptRuntimeES6.addSymbolSpecies(Context.getCurrentContext(), global, made);
    prototype.defineProperty("constructor", made, ScriptableObject.DONTENUM);
  }

  /** Replaces functions that all typed arrays share, once in a realm. */
  private void correctShared(ScriptableObject constructor, ScriptableObject methods) {
    if (sharedCorrected) {
      return;
    }
    sharedCorrected = true;
    HostFunction.define(global, constructor, "from", 1, this::from);
    Callable subarray = (Callable) methods.get("subarray", methods);
    HostFunction.define(
        global,
        methods,
        "subarray",
        2,
        (cx, scope, self, args) -> subarray.call(cx, scope, self, withinLength(self, args)));
  }

  /** Creates a typed array like that of Rhino, which takes undefined for 0 instead of NaN. */
  private Object from(Context cx, Scriptable scope, Scriptable self, Object[] args) {
    if (!(self instanceof Constructable constructor)) {
      throw ScriptRuntime.typeError("this is not a constructor");
    }
    Object list = arrayFrom.call(cx, global, array, args);
    return constructor.construct(cx, global, new Object[] {list});
  }

  /** Returns the bounds of a part of a typed array; Rhino confuses those beyond 32 bits. */
  private static Object[] withinLength(Scriptable self, Object[] args) {
    Object[] bounds = args.clone();
    if (self instanceof NativeTypedArrayView<?> view) {
      int length = view.getArrayLength();
      for (int i = 0; i < bounds.length; i++) {
        if (!Undefined.isUndefined(bounds[i])) {
          bounds[i] = Math.max(-length, Math.min(length, ScriptRuntime.toInteger(bounds[i])));
        }
      }
    }
    return bounds;
  }

  /** Returns the arguments, of which the first is a list if Rhino does not know what it is. */
  private Object[] withList(Context cx, Object[] args) {
    boolean known =
        args.length == 0
            || !ScriptRuntime.isObject(args[0])
            || args[0] instanceof NativeArray
            || args[0] instanceof NativeTypedArrayView
            || args[0] instanceof NativeArrayBuffer;
    return known ? args : new Object[] {arrayFrom.call(cx, global, array, new Object[] {args[0]})};
  }

  private void replaceProxy(Function original) {
    Callable revocable = (Callable) original.get("revocable", original);
    LambdaConstructor made =
        replace(
            "Proxy",
            2,
            null,
            (cx, scope, args) -> {
              Object[] wrapped = ProxyTraps.wrap(global, args);
              return ProxyTraps.associate(original.construct(cx, scope, wrapped), wrapped);
            });
    made.defineConstructorMethod(
        global,
        "revocable",
        2,
        (cx, scope, self, args) -> {
          Object[] wrapped = ProxyTraps.wrap(global, args);
          Scriptable pair = (Scriptable) revocable.call(cx, scope, original, wrapped);
          ProxyTraps.associate((Scriptable) pair.get("proxy", pair), wrapped);
          return pair;
        });
  }

  /** A typed array whose numbers from 2^63 are not those that Rhino's class returns. */
  private static final class UnsignedLongs extends NativeBigUint64Array {

    private static final long serialVersionUID = 1L;

    UnsignedLongs(NativeBigUint64Array view) {
      super(view.getBuffer(), view.getByteOffset(), view.getArrayLength());
      setParentScope(view.getParentScope());
      setPrototype(view.getPrototype());
    }

    @Override
    protected Object js_get(int index) {
      return super.js_get(index) instanceof BigInteger
          ? new BigInteger(
              Long.toUnsignedString(
                  ByteIo.readUint64Primitive(
                      getBuffer().getBuffer(),
                      getByteOffset() + index * getBytesPerElement(),
                      useLittleEndian())))
          : Undefined.instance;
    }
  }

  /** Defines a constructor, which leaves the prototype of what it creates to Rhino's. */
  private LambdaConstructor replace(
      String name, int arity, Object prototype, Constructable constructable) {
    LambdaConstructor made =
        new LambdaConstructor(global, name, arity, prototype, null, constructable::construct) {

          private static final long serialVersionUID = 1L;

          @Override
          public Scriptable construct(Context cx, Scriptable scope, Object[] args) {
            return getTargetConstructor().construct(cx, global, args);
          }
        };
    global.defineProperty(name, made, ScriptableObject.DONTENUM);
    return made;
  }
}
