package io.tokenvault.engine.worker.compile;

import java.util.HashMap;
import java.util.Map;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;

/**
 * Functions of Babel that usual transforms do not need, as texts that are parsed when they are
 * first called. The build of the scripts has left calls of this function in their places.
 */
final class DeferredFunctions implements Callable {

  private final Map<Integer, Script> parsed = new HashMap<>();

  /** The texts of all functions; null until the first is called. */
  private String texts;

  /**
   * Returns a function.
   *
   * @param arguments the start and end of its text, and any function that was created in its scope
   */
  @Override
  public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
    int start = ((Number) arguments[0]).intValue();
    int end = ((Number) arguments[1]).intValue();
    Script script = parsed.computeIfAbsent(start, at -> parsed(context, at, end));
    return script.exec(context, ((Function) arguments[2]).getParentScope(), scope);
  }

  private Script parsed(Context context, int start, int end) {
    if (texts == null) {
      texts = ScriptResources.text(DeferredFunctions.class, "babel-deferred.txt");
    }
    return context.compileString(texts.substring(start, end), "babel", 1, null);
  }
}
