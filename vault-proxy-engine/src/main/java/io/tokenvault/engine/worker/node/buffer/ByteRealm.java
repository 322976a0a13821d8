package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.WorkMeter;
import java.util.HashMap;
import java.util.Map;
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
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/** The byte part of one realm: its classes, made at first use, and how its functions run. */
public final class ByteRealm {
  private static final String KEY = ByteRealm.class.getName();

  /** What a call costs that does next to nothing. */
  private static final int CALL = 50;

  /** More in one piece ends in an OutOfMemoryError, which ends the worker. */
  private static final long LONGEST = Runtime.getRuntime().maxMemory() / 4;

  private final ScriptableObject global;
  private final RandomGenerator random;
  private final WorkMeter meter;
  private final Map<String, Object> made = new HashMap<>();
  private Scriptable arrayBufferPrototype;
  private ScriptableObject bufferPrototype;

  public ByteRealm(ScriptableObject global, RandomGenerator random, WorkMeter meter) {
    this.global = global;
    this.random = random;
    this.meter = meter;
  }

  public static ByteRealm of(Scriptable realm) {
    return (ByteRealm) ((ScriptableObject) realm).getAssociatedValue(KEY);
  }

  public void associate() {
    global.associateValue(KEY, this);
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

  public void spend(long units) {
    meter.spend(units);
  }

  /** One of its kind in this realm, made at the first call. */
  public <T> T once(String name, Class<T> kind, Supplier<T> maker) {
    Object value = made.get(name);
    if (value == null) {
      value = maker.get();
      made.put(name, value);
    }
    return kind.cast(value);
  }

  LambdaFunction function(String name, int arity, FunctionBody body) {
    return new LambdaFunction(
        global, name, arity, (cx, scope, self, args) -> run(name, body, self, args), false);
  }

  /** A class of the surface; {@code plain} is what a call without {@code new} does. */
  public LambdaConstructor constructor(
      String name, int arity, FunctionBody construct, FunctionBody plain) {
    return new LambdaConstructor(
        global,
        name,
        arity,
        (cx, scope, self, args) -> run(name, plain, self, args),
        (cx, scope, args) -> (Scriptable) run(name, construct, Undefined.instance, args));
  }

  /** The prototype of a constructor, empty but for {@code constructor}. */
  public ScriptableObject prototype(LambdaConstructor constructor) {
    return (ScriptableObject) constructor.get("prototype", constructor);
  }

  Object run(String name, FunctionBody body, Object self, Object[] args) {
    try {
      meter.spend(CALL);
      return body.call(this, self, new CallArguments(args));
    } catch (RhinoException e) {
      throw e;
    } catch (NodeError e) {
      throw thrown(e);
    } catch (RuntimeException e) {
      throw thrown(NodeError.error("ERR_OPERATION_FAILED", name + " failed"));
    }
  }

  private RhinoException thrown(NodeError failure) {
    EcmaError place = ScriptRuntime.constructError("Error", "");
    return new JavaScriptException(errorObject(failure), place.sourceName(), place.lineNumber());
  }

  Scriptable errorObject(NodeError failure) {
    Scriptable error =
        context().newObject(global, failure.type(), new Object[] {failure.getMessage()});
    failure.extras().forEach((name, value) -> error.put(name, error, value));
    if (failure.code() != null) {
      error.put("code", error, failure.code());
    }
    return error;
  }

  /** Throws an object that the surface made. */
  RhinoException throwing(Object value) {
    EcmaError place = ScriptRuntime.constructError("Error", "");
    return new JavaScriptException(value, place.sourceName(), place.lineNumber());
  }

  public ScriptableObject object() {
    return (ScriptableObject) context().newObject(global);
  }

  public Scriptable array(Object[] values) {
    return context().newArray(global, values);
  }

  /** Calls back after the script's own turn, as all calls back of Node.js come. */
  public void later(Callable callback, Object... args) {
    Context cx = context();
    cx.enqueueMicrotask(() -> callback.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, args));
  }

  public NativeArrayBuffer memory(int length) {
    if (length > LONGEST) {
      throw NodeError.range(null, "Array buffer allocation failed");
    }
    meter.spend(length);
    NativeArrayBuffer memory = new NativeArrayBuffer(length);
    if (arrayBufferPrototype == null) {
      arrayBufferPrototype = ScriptableObject.getClassPrototype(global, "ArrayBuffer");
    }
    memory.setPrototype(arrayBufferPrototype);
    memory.setParentScope(global);
    return memory;
  }

  /** A new {@code Buffer} of zeros. */
  NativeUint8Array allocate(int length) {
    return buffer(memory(length), 0, length);
  }

  /** A new {@code Buffer} with a copy of the bytes. */
  public NativeUint8Array buffer(byte[] bytes) {
    NativeUint8Array buffer = allocate(bytes.length);
    System.arraycopy(bytes, 0, buffer.getBuffer().getBuffer(), 0, bytes.length);
    return buffer;
  }

  /** A {@code Buffer} that shares the memory. */
  NativeUint8Array buffer(NativeArrayBuffer memory, int offset, int length) {
    NativeUint8Array buffer = new NativeUint8Array(memory, offset, length);
    buffer.setPrototype(bufferPrototype());
    buffer.setParentScope(global);
    return buffer;
  }

  /** A plain {@code Uint8Array} with a copy of the bytes. */
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

  /** An object of one of our classes, with its state. */
  public <T> HostObject<T> host(T state, Scriptable prototype) {
    HostObject<T> object = new HostObject<>(state);
    object.setPrototype(prototype);
    object.setParentScope(global);
    return object;
  }

  /** An encoded text, or a {@code Buffer} where no encoding is named that there is. */
  public Object output(byte[] bytes, Object encoding) {
    TextEncoding named =
        encoding instanceof CharSequence ? TextEncoding.named(encoding.toString()) : null;
    return named == null ? buffer(bytes) : named.decode(ByteView.of(bytes));
  }

  void tag(ScriptableObject prototype, String name) {
    prototype.defineProperty(
        SymbolKey.TO_STRING_TAG, name, ScriptableObject.DONTENUM | ScriptableObject.READONLY);
  }
}
