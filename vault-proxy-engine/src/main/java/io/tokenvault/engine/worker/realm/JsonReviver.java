package io.tokenvault.engine.worker.realm;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * Passes parsed JSON through the function of {@code JSON.parse}. Rhino passes indexes as numbers,
 * and keeps elements for which it returns undefined.
 */
final class JsonReviver {

  private final Context cx;
  private final Scriptable global;
  private final Callable function;

  JsonReviver(Context cx, Scriptable global, Callable function) {
    this.cx = cx;
    this.global = global;
    this.function = function;
  }

  /** Returns what the function makes of a parsed value. */
  Object revive(Object parsed) {
    NativeObject root = (NativeObject) cx.newObject(global);
    root.put("", root, parsed);
    return revive(root, "");
  }

  private Object revive(Scriptable holder, Object id) {
    Object value =
        id instanceof Integer index
            ? ScriptableObject.getProperty(holder, index)
            : ScriptableObject.getProperty(holder, (String) id);
    if (value instanceof NativeArray array) {
      for (int i = 0; i < array.getLength(); i++) {
        reviveIn(array, i);
      }
    } else if (value instanceof Scriptable object && !(value instanceof Symbol)) {
      for (Object each : object.getIds()) {
        reviveIn(object, each);
      }
    }
    Object given = value == Scriptable.NOT_FOUND ? Undefined.instance : value;
    return function.call(cx, global, holder, new Object[] {id.toString(), given});
  }

  private void reviveIn(Scriptable object, Object id) {
    Object made = revive(object, id);
    boolean gone = Undefined.isUndefined(made);
    if (id instanceof Integer index) {
      if (gone) {
        object.delete(index);
      } else {
        object.put(index, object, made);
      }
    } else if (gone) {
      object.delete((String) id);
    } else {
      object.put((String) id, object, made);
    }
  }
}
