package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The functions that compiled async functions call, under the names of Babel's helpers.
 *
 * <p>As in Node.js, {@code await} does not call what a script may have put in the place of {@code
 * Promise}.
 */
public final class AsyncFunctions {

  private final ScriptableObject global;
  private final Function promise;
  private final Function resolve;
  private final Function then;

  /**
   * Creates the functions.
   *
   * @param global the global object, which no script has changed yet
   */
  public AsyncFunctions(ScriptableObject global) {
    this.global = global;
    this.promise = (Function) ScriptableObject.getProperty(global, "Promise");
    this.resolve = (Function) ScriptableObject.getProperty(promise, "resolve");
    Scriptable prototype = ScriptableObject.getClassPrototype(global, "Promise");
    this.then = (Function) ScriptableObject.getProperty(prototype, "then");
  }

  /** Returns a scope for the programs of a realm in which the helpers have names. */
  public Scriptable scope() {
    AsyncSteps.Functions functions = new AsyncSteps.Functions(global);
    NativeObject steps = new NativeObject();
    HostFunction.put(global, steps, "m", (cx, scope, self, args) -> args[0]);
    HostFunction.put(global, steps, "w", (cx, scope, self, args) -> AsyncSteps.of(functions, args));
    NativeObject scope = new NativeObject();
    scope.setParentScope(global);
    HostFunction.put(global, scope, "vault$regenerator", (cx, inner, self, args) -> steps);
    HostFunction.put(global, scope, "vault$regeneratorValues", (cx, inner, self, args) -> args[0]);
    HostFunction.put(
        global,
        scope,
        "vault$asyncToGenerator",
        (cx, inner, self, args) -> function((Callable) args[0]));
    SyntaxHelpers.define(global, scope);
    return scope;
  }

  /**
   * Returns an async function.
   *
   * @param start begins the steps of a call
   */
  private Function function(Callable start) {
    return HostFunction.named(
        global,
        "",
        0,
        (cx, scope, self, args) -> {
          Callable executor =
              (context, inner, none, settle) -> {
                AsyncSteps steps = (AsyncSteps) start.call(context, global, self, args);
                new Call(steps, (Callable) settle[0], (Callable) settle[1])
                    .run(context, AsyncSteps.NEXT, Undefined.instance);
                return Undefined.instance;
              };
          return promise.construct(cx, global, new Object[] {executor});
        });
  }

  /**
   * Calls one of two functions when a value has settled; a value that is not a promise counts as
   * fulfilled.
   */
  void await(Context cx, Object value, Callable onFulfilled, Callable onRejected) {
    Scriptable settled = (Scriptable) resolve.call(cx, global, promise, new Object[] {value});
    then.call(cx, global, settled, new Object[] {onFulfilled, onRejected});
  }

  /** A call in progress, with the functions that settle its promise. */
  private final class Call {

    private final AsyncSteps steps;
    private final Callable fulfill;
    private final Callable reject;

    Call(AsyncSteps steps, Callable fulfill, Callable reject) {
      this.steps = steps;
      this.fulfill = fulfill;
      this.reject = reject;
    }

    /** Runs the function until it awaits a value, returns or throws. */
    void run(Context cx, int how, Object given) {
      int way = how;
      Object value = given;
      do {
        try {
          value = steps.run(cx, way, value);
        } catch (RhinoException e) {
          settle(cx, reject, AsyncSteps.thrown(cx, global, e));
          return;
        }
        if (steps.isEnded()) {
          settle(cx, fulfill, value);
          return;
        }
        try {
          await(cx, value);
          way = AsyncSteps.NEXT;
        } catch (RhinoException e) {
          way = AsyncSteps.THROW;
          value = AsyncSteps.thrown(cx, global, e);
        }
      } while (way == AsyncSteps.THROW);
    }

    private void settle(Context cx, Callable settled, Object value) {
      settled.call(cx, global, Undefined.SCRIPTABLE_UNDEFINED, new Object[] {value});
    }

    private void await(Context cx, Object value) {
      if (!(value instanceof Scriptable)) {
        cx.enqueueMicrotask(() -> run(cx, AsyncSteps.NEXT, value));
        return;
      }
      AsyncFunctions.this.await(
          cx, value, continuation(AsyncSteps.NEXT), continuation(AsyncSteps.THROW));
    }

    private Callable continuation(int how) {
      return (cx, scope, self, args) -> {
        run(cx, how, HostFunction.argument(args, 0));
        return Undefined.instance;
      };
    }
  }
}
