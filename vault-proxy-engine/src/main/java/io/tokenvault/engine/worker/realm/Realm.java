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
 * The objects of one invocation, used once. What the loop itself calls is taken before any code of
 * a user runs, since scripts can replace all that they reach.
 */
public final class Realm {

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

  public void bind(RealmServices invocation) {
    environment.bind(invocation);
  }

  /** Calls one of two functions once a value, promise or not, is settled. */
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

  public JavaScriptException newError(Context cx, String message, String code) {
    Scriptable made = error.construct(cx, global, new Object[] {message});
    if (code != null) {
      ScriptableObject.putProperty(made, "code", code);
    }
    return new JavaScriptException(made, "", 0);
  }

  public boolean isEnginePrototype(Scriptable prototype) {
    return enginePrototypes.contains(prototype);
  }

  public boolean isErrorPrototype(Scriptable prototype) {
    return prototype == errorPrototype;
  }
}
