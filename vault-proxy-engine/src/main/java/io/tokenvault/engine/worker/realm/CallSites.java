package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.wire.FromWorker.Position;
import java.util.List;
import java.util.function.Supplier;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The frames of a stack as objects, which {@code Error.prepareStackTrace} receives in Node.js.
 * Packages use them to find out who calls them.
 */
final class CallSites {

  private CallSites() {}

  /**
   * A frame in the transform or in an operator's module.
   *
   * @param function the name of the function; empty for none
   * @param source the name of the program
   */
  record Frame(String function, String source, Position position) {

    /** Returns the frame as a line of a stack shows it. */
    @Override
    public String toString() {
      String place = source + ":" + position.line();
      return function.isEmpty() ? place : function + " (" + place + ")";
    }
  }

  /** Returns an array of the frames. */
  static Scriptable of(Context cx, ScriptableObject realm, List<Frame> frames) {
    return cx.newArray(realm, frames.stream().map(frame -> site(cx, realm, frame)).toArray());
  }

  private static Object site(Context cx, ScriptableObject realm, Frame frame) {
    Scriptable site = cx.newObject(realm);
    String function = frame.function().isEmpty() ? null : frame.function();
    int column = frame.position().column();
    add(realm, site, "getFileName", frame::source);
    add(realm, site, "getLineNumber", frame.position()::line);
    add(realm, site, "getColumnNumber", () -> column > 0 ? column : null);
    add(realm, site, "getFunctionName", () -> function);
    add(realm, site, "toString", frame::toString);
    for (String name : new String[] {"getTypeName", "getMethodName", "getPromiseIndex"}) {
      add(realm, site, name, () -> null);
    }
    for (String name : new String[] {"getThis", "getFunction", "getEvalOrigin"}) {
      add(realm, site, name, () -> Undefined.instance);
    }
    for (String name : new String[] {"isNative", "isEval", "isConstructor", "isAsync"}) {
      add(realm, site, name, () -> false);
    }
    add(realm, site, "isToplevel", () -> function == null);
    return site;
  }

  private static void add(
      ScriptableObject realm, Scriptable site, String name, Supplier<Object> value) {
    ScriptableObject.defineProperty(
        (ScriptableObject) site,
        name,
        HostFunction.named(realm, name, 0, (cx, scope, self, args) -> value.get()),
        ScriptableObject.DONTENUM);
  }
}
