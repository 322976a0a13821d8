package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.NodeSurface;
import io.tokenvault.engine.worker.node.script.RealmServices;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.json.JsonParser;

/**
 * The global object of one invocation and the functions that the event loop needs from it. Used
 * once.
 *
 * <p>These functions are read before any code of a transform runs, since scripts can replace
 * everything that they reach.
 */
public final class Realm {

  private final ScriptableObject global;
  private final NodeSurface surface;
  private final AtomicReference<RealmServices> invocation;
  private final AsyncFunctions asyncFunctions;
  private final Scriptable programs;
  private final Function error;
  private final Scriptable errorPrototype;
  private final Set<Scriptable> enginePrototypes =
      Collections.newSetFromMap(new IdentityHashMap<>());

  Realm(ScriptableObject global, NodeSurface surface, AtomicReference<RealmServices> invocation) {
    this.global = global;
    this.surface = surface;
    this.invocation = invocation;
    this.asyncFunctions = new AsyncFunctions(global);
    this.programs = asyncFunctions.scope();
    this.error = (Function) ScriptableObject.getProperty(global, "Error");
    this.errorPrototype = ScriptableObject.getClassPrototype(global, "Error");
    GlobalObject.ENGINE_ERRORS.forEach(
        name -> enginePrototypes.add(ScriptableObject.getClassPrototype(global, name)));
  }

  public ScriptableObject global() {
    return global;
  }

  /** Returns the scope of programs, in which the compiler's helpers have names. */
  public Scriptable programs() {
    return programs;
  }

  public NodeSurface surface() {
    return surface;
  }

  /**
   * Assigns the realm to an invocation.
   *
   * @throws IllegalStateException if it has been assigned before
   */
  public void bind(RealmServices services) {
    if (!invocation.compareAndSet(null, services)) {
      throw new IllegalStateException("a realm is used once");
    }
  }

  /**
   * Calls one of two functions when a value has settled; a value that is not a promise counts as
   * fulfilled.
   */
  public void await(Context cx, Object value, Callable onFulfilled, Callable onRejected) {
    asyncFunctions.await(
        cx,
        value,
        HostFunction.named(global, "", 1, onFulfilled),
        HostFunction.named(global, "", 1, onRejected));
  }

  /**
   * Returns an exception with an {@code Error} of this realm.
   *
   * @param code the value of its property {@code code}; null for none
   */
  public JavaScriptException newError(Context cx, String message, String code) {
    Scriptable made = error.construct(cx, global, new Object[] {message});
    if (code != null) {
      ScriptableObject.putProperty(made, "code", code);
    }
    return new JavaScriptException(made, "", 0);
  }

  /**
   * Parses JSON into values of this realm. Malformed text throws a {@code SyntaxError} of
   * JavaScript, which does not quote it.
   */
  public Object parseJson(Context cx, String text) {
    try {
      return new JsonParser(cx, global).parseValue(text);
    } catch (JsonParser.ParseException e) {
      throw ScriptRuntime.constructError("SyntaxError", "Unexpected token in JSON");
    }
  }

  /** Returns whether an object is the prototype of an error that the engine throws. */
  public boolean isEnginePrototype(Scriptable prototype) {
    return enginePrototypes.contains(prototype);
  }

  public boolean isErrorPrototype(Scriptable prototype) {
    return prototype == errorPrototype;
  }
}
