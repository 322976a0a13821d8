package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.NodeSurface;
import io.tokenvault.engine.worker.node.script.RealmServices;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The global object of one invocation and the functions that the event loop needs from it. Used
 * once.
 *
 * <p>These functions are read before any code of a transform runs, since scripts can replace
 * everything that they reach.
 */
public final class Realm {

  /** The constructors of the errors that the engine throws. */
  private static final List<String> ENGINE_ERRORS =
      List.of(
          "EvalError",
          "RangeError",
          "ReferenceError",
          "SyntaxError",
          "TypeError",
          "URIError",
          "InternalError");

  private final ScriptableObject global;
  private final NodeSurface surface;
  private final RealmEnvironment environment;
  private final Scriptable promise;
  private final Function resolve;
  private final Function then;
  private final Function error;
  private final Scriptable errorPrototype;
  private final Set<Scriptable> enginePrototypes =
      Collections.newSetFromMap(new IdentityHashMap<>());

  Realm(ScriptableObject global, NodeSurface surface, RealmEnvironment environment) {
    this.global = global;
    this.surface = surface;
    this.environment = environment;
    this.promise = (Scriptable) ScriptableObject.getProperty(global, "Promise");
    this.resolve = (Function) ScriptableObject.getProperty(promise, "resolve");
    this.then = (Function) ScriptableObject.getProperty(prototype("Promise"), "then");
    this.error = (Function) ScriptableObject.getProperty(global, "Error");
    this.errorPrototype = prototype("Error");
    ENGINE_ERRORS.forEach(name -> enginePrototypes.add(prototype(name)));
  }

  /** Returns the prototype of a constructor. */
  private Scriptable prototype(String constructor) {
    Scriptable function = (Scriptable) ScriptableObject.getProperty(global, constructor);
    return (Scriptable) ScriptableObject.getProperty(function, "prototype");
  }

  public ScriptableObject global() {
    return global;
  }

  public NodeSurface surface() {
    return surface;
  }

  /**
   * Assigns the realm to an invocation.
   *
   * @throws IllegalStateException if it has been assigned before
   */
  public void bind(RealmServices invocation) {
    environment.bind(invocation);
  }

  /**
   * Calls one of two functions when a value has settled; a value that is not a promise counts as
   * fulfilled.
   *
   * @param kept called with the value if it is fulfilled
   * @param broken called with the reason if it is rejected
   */
  public void await(Context cx, Object value, Callable kept, Callable broken) {
    Object settled = resolve.call(cx, global, promise, new Object[] {value});
    then.call(
        cx,
        global,
        (Scriptable) settled,
        new Object[] {
          HostFunction.named(global, "", 1, kept), HostFunction.named(global, "", 1, broken)
        });
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

  /** Returns whether an object is the prototype of an error that the engine throws. */
  public boolean isEnginePrototype(Scriptable prototype) {
    return enginePrototypes.contains(prototype);
  }

  /** Returns whether an object is the prototype of {@code Error}. */
  public boolean isErrorPrototype(Scriptable prototype) {
    return prototype == errorPrototype;
  }

  /**
   * Services of a realm that was built before its invocation was known. Forwards all calls to the
   * invocation.
   */
  static final class RealmEnvironment implements RealmServices {

    private RealmServices invocation;

    /**
     * Assigns the invocation.
     *
     * @throws IllegalStateException if there is one already
     */
    void bind(RealmServices invocation) {
      if (this.invocation != null) {
        throw new IllegalStateException("a realm is used once");
      }
      this.invocation = invocation;
    }

    @Override
    public void call(
        Context context, Scriptable realm, String operation, String json, Callable done) {
      invocation.call(context, realm, operation, json, done);
    }

    @Override
    public int setTimer(
        Callable function, Object[] arguments, double delayMillis, boolean repeats) {
      return invocation.setTimer(function, arguments, delayMillis, repeats);
    }

    @Override
    public void clearTimer(int number) {
      invocation.clearTimer(number);
    }

    @Override
    public void enqueueMicrotask(Callable function, Object[] arguments) {
      invocation.enqueueMicrotask(function, arguments);
    }

    /**
     * Counts work for the invocation; work before there is one is part of building the realm and is
     * not counted.
     */
    @Override
    public void spend(long units) {
      if (invocation != null) {
        invocation.spend(units);
      }
    }

    @Override
    public void console(String level, String text) {
      invocation.console(level, text);
    }
  }
}
