package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.RealmServices;
import io.tokenvault.engine.worker.node.script.RuntimeScripts.RealmModules;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SerializableCallable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/**
 * Binary part of one realm: its classes, which are created on first use, and the execution of its
 * functions.
 *
 * <p>Every function of the surface runs in {@link #run}, which counts the call and converts
 * failures to errors of the realm.
 */
public final class ByteRealm {
  private static final String KEY = ByteRealm.class.getName();

  /** The cost of a call with almost no work. */
  private static final int CALL = 50;

  /**
   * The greatest length of one block of memory. A larger one could exhaust the heap, which would
   * end the worker.
   */
  private static final long LONGEST = Runtime.getRuntime().maxMemory() / 4;

  private final ScriptableObject global;
  private final RandomGenerator random;
  private final LongConsumer meter;

  /** The objects that {@link #once} has created, by name. */
  private final Map<String, Object> made = new HashMap<>();

  private Scriptable arrayBufferPrototype;
  private ScriptableObject bufferPrototype;

  /**
   * Creates the binary part of a realm.
   *
   * @param random a cryptographically strong source
   * @param meter counts the work for this realm, in the units of {@link RealmServices#spend}
   */
  public ByteRealm(ScriptableObject global, RandomGenerator random, LongConsumer meter) {
    this.global = global;
    this.random = random;
    this.meter = meter;
    global.associateValue(KEY, this);
  }

  /** Returns the binary part of a realm. */
  public static ByteRealm of(Scriptable realm) {
    return (ByteRealm) ((ScriptableObject) realm).getAssociatedValue(KEY);
  }

  public RandomGenerator random() {
    return random;
  }

  ScriptableObject global() {
    return global;
  }

  Context context() {
    return Context.getCurrentContext();
  }

  /** Counts work for the script; see {@link RealmServices#spend}. */
  public void spend(long units) {
    meter.accept(units);
  }

  /** Returns the only object of a name in this realm, which is created on first use. */
  public <T> T once(String name, Class<T> kind, Supplier<T> maker) {
    Object value = made.get(name);
    if (value == null) {
      value = maker.get();
      made.put(name, value);
    }
    return kind.cast(value);
  }

  /**
   * Returns a function of the surface.
   *
   * @param arity the value of its property {@code length}
   */
  public LambdaFunction function(String name, int arity, FunctionBody body) {
    return new LambdaFunction(
        global, name, arity, (cx, scope, self, args) -> run(name, body, self, args), false);
  }

  /**
   * Returns a function of the surface that can also be called with {@code new}, to the same effect.
   *
   * @param arity the value of its property {@code length}
   */
  LambdaFunction constructible(String name, int arity, FunctionBody body) {
    return new Constructible(
        global, name, arity, (cx, scope, self, args) -> run(name, body, self, args));
  }

  /** A function that returns an object, which makes {@code new} possible. */
  private static final class Constructible extends LambdaFunction {

    private static final long serialVersionUID = 1L;

    Constructible(Scriptable scope, String name, int arity, SerializableCallable body) {
      super(scope, name, arity, body, false);
    }

    @Override
    public Scriptable construct(Context cx, Scriptable scope, Object[] args) {
      return (Scriptable) call(cx, scope, Undefined.SCRIPTABLE_UNDEFINED, args);
    }
  }

  /**
   * Returns a class of the surface.
   *
   * @param construct the body of a call with {@code new}
   * @param plain the body of a call without {@code new}
   */
  public LambdaConstructor constructor(
      String name, int arity, FunctionBody construct, FunctionBody plain) {
    return new LambdaConstructor(
        global,
        name,
        arity,
        (cx, scope, self, args) -> run(name, plain, self, args),
        (cx, scope, args) -> (Scriptable) run(name, construct, Undefined.instance, args));
  }

  /**
   * Returns the prototype of a class, which initially has no property except {@code constructor}.
   */
  public ScriptableObject prototype(LambdaConstructor constructor) {
    return (ScriptableObject) constructor.get("prototype", constructor);
  }

  /**
   * Runs a function of the surface and converts its failures to errors of the realm. An unexpected
   * exception becomes an error without its message.
   *
   * @param name the name of the function for that error
   */
  Object run(String name, FunctionBody body, Object self, Object[] args) {
    try {
      meter.accept(CALL);
      try {
        return body.call(this, self, new CallArguments(args));
      } catch (NodeError e) {
        throw throwing(errorObject(e));
      } catch (GeneralSecurityException unforeseen) {
        throw throwing(
            errorObject(NodeError.error("ERR_CRYPTO_OPERATION_FAILED", "Operation failed")));
      }
    } catch (RhinoException e) {
      throw e;
    } catch (RuntimeException e) {
      throw throwing(errorObject(NodeError.error("ERR_OPERATION_FAILED", name + " failed")));
    }
  }

  Scriptable errorObject(NodeError failure) {
    String message = failure.message((function, value) -> call("inspect", function, value));
    Scriptable error = context().newObject(global, failure.type(), new Object[] {message});
    failure.extras().forEach((name, value) -> error.put(name, error, value));
    if (failure.code() != null) {
      error.put("code", error, failure.code());
    }
    return error;
  }

  RhinoException throwing(Object value) {
    EcmaError place = ScriptRuntime.constructError("Error", "");
    return new JavaScriptException(value, place.sourceName(), place.lineNumber());
  }

  /** Returns an exception that scripts receive as a {@code DOMException}. */
  public RhinoException domException(String name, String message) {
    return throwing(call("abort", "DOMException", message, name));
  }

  /** Calls a function of the value of a script of the surface. */
  public Object call(String script, String function, Object... values) {
    return RealmModules.of(global).call(context(), script, function, values);
  }

  /** Returns a new, empty object. */
  public ScriptableObject object() {
    return (ScriptableObject) context().newObject(global);
  }

  public Scriptable array(Object... values) {
    return context().newArray(global, values);
  }

  /** Calls a callback after the current turn of the script, as Node.js does with all callbacks. */
  public void later(Callable callback, Object... args) {
    Context cx = context();
    cx.enqueueMicrotask(() -> callback.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, args));
  }

  /**
   * Allocates memory of zeros.
   *
   * @throws NodeError a {@code RangeError} if the length exceeds a quarter of the heap
   */
  public NativeArrayBuffer memory(int length) {
    if (length > LONGEST) {
      throw NodeError.range(null, "Array buffer allocation failed");
    }
    meter.accept(length);
    NativeArrayBuffer memory = new NativeArrayBuffer(length);
    if (arrayBufferPrototype == null) {
      arrayBufferPrototype = ScriptableObject.getClassPrototype(global, "ArrayBuffer");
    }
    memory.setPrototype(arrayBufferPrototype);
    memory.setParentScope(global);
    return memory;
  }

  /** Returns a new {@code Buffer} of zeros. */
  NativeUint8Array allocate(int length) {
    return buffer(memory(length), 0, length);
  }

  /** Returns a new {@code Buffer} with a copy of the bytes. */
  public NativeUint8Array buffer(byte[] bytes) {
    NativeUint8Array buffer = allocate(bytes.length);
    System.arraycopy(bytes, 0, buffer.getBuffer().getBuffer(), 0, bytes.length);
    return buffer;
  }

  /** Returns a {@code Buffer} that shares the memory. */
  NativeUint8Array buffer(NativeArrayBuffer memory, int offset, int length) {
    NativeUint8Array buffer = new NativeUint8Array(memory, offset, length);
    buffer.setPrototype(bufferPrototype());
    buffer.setParentScope(global);
    return buffer;
  }

  /** Returns a new {@code Uint8Array} with a copy of the bytes. */
  NativeUint8Array uint8Array(byte[] bytes) {
    NativeArrayBuffer memory = memory(bytes.length);
    System.arraycopy(bytes, 0, memory.getBuffer(), 0, bytes.length);
    NativeUint8Array array = new NativeUint8Array(memory, 0, bytes.length);
    array.setPrototype(ScriptableObject.getClassPrototype(global, "Uint8Array"));
    array.setParentScope(global);
    return array;
  }

  private Scriptable bufferPrototype() {
    if (bufferPrototype == null) {
      bufferPrototype = prototype(BufferClass.in(this));
    }
    return bufferPrototype;
  }

  /**
   * Returns a class of the surface that is called with and without {@code new} alike. It is defined
   * on first use.
   *
   * @param properties defines the static properties and those of the prototype
   */
  public LambdaConstructor type(
      String name,
      int arity,
      FunctionBody create,
      BiConsumer<LazyProperties, LazyProperties> properties) {
    return once(
        name,
        LambdaConstructor.class,
        () -> {
          LambdaConstructor made = constructor(name, arity, create, create);
          properties.accept(
              LazyProperties.hidden(this, made), LazyProperties.hidden(this, prototype(made)));
          return made;
        });
  }

  public <T> HostObject<T> host(T state, LambdaConstructor type) {
    HostObject<T> object = new HostObject<>(state);
    object.setPrototype(prototype(type));
    object.setParentScope(global);
    return object;
  }

  /**
   * Returns bytes as a string in the given encoding, or as a {@code Buffer} if it is not the name
   * of an encoding.
   */
  public Object output(byte[] bytes, Object encoding) {
    TextEncoding named =
        encoding instanceof CharSequence ? TextEncoding.named(encoding.toString()) : null;
    return named == null ? buffer(bytes) : named.decode(ByteView.of(bytes));
  }

  /** Body of a function of the surface. */
  @FunctionalInterface
  public interface FunctionBody {
    /**
     * Runs the function for a call by a script.
     *
     * @return a JavaScript value, never another Java object
     * @throws NodeError if Node.js would throw an error
     * @throws GeneralSecurityException if the JDK fails as no check has foreseen; scripts receive
     *     an error without its message
     */
    Object call(ByteRealm realm, Object self, CallArguments args) throws GeneralSecurityException;
  }
}
