package io.tokenvault.engine.worker.node;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.Initializable;
import org.mozilla.javascript.Scriptable;

/** A global that a script makes when it is first touched. */
record LazyGlobal(String name, String script) implements Initializable {

  @Override
  public Object initialize(Context cx, Scriptable realm, boolean isSealed) {
    return RealmModules.of(realm).property(cx, script, name);
  }
}
