package io.tokenvault.engine.worker.node.script;

import java.util.HashMap;
import java.util.Map;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** The scripts of the surface that one realm has run so far. */
public final class RealmModules {

  private static final Object KEY = "io.tokenvault.realm";

  private final ScriptableObject realm;
  private final RuntimeScripts scripts;
  private final ScriptHost host;
  private final Map<String, Scriptable> loaded = new HashMap<>();
  private Object[] arguments;

  RealmModules(ScriptableObject realm, RuntimeScripts scripts, ScriptHost host) {
    this.realm = realm;
    this.scripts = scripts;
    this.host = host;
  }

  public static void define(ScriptableObject realm, RuntimeScripts scripts, ScriptHost host) {
    realm.associateValue(KEY, new RealmModules(realm, scripts, host));
  }

  public static RealmModules of(Scriptable scope) {
    ScriptableObject top = (ScriptableObject) ScriptableObject.getTopLevelScope(scope);
    return (RealmModules) top.getAssociatedValue(KEY);
  }

  public boolean isLoaded(String name) {
    return loaded.containsKey(name);
  }

  /** What the script of this name made. */
  public Scriptable load(Context cx, String name) {
    Scriptable made = loaded.get(name);
    if (made == null) {
      Function script = (Function) scripts.get(name).exec(cx, realm, realm);
      made = (Scriptable) script.call(cx, realm, realm, arguments(cx));
      loaded.put(name, made);
    }
    return made;
  }

  public Object property(Context cx, String name, String property) {
    Scriptable made = load(cx, name);
    return ScriptableObject.getProperty(made, property);
  }

  public Object call(Context cx, String name, String function, Object... values) {
    return ((Function) property(cx, name, function)).call(cx, realm, realm, values);
  }

  /** Only the scripts of the surface see these. */
  private Object[] arguments(Context cx) {
    if (arguments == null) {
      LambdaFunction load =
          new LambdaFunction(
              realm,
              "load",
              1,
              (context, scope, thisObj, names) -> load(context, names[0].toString()));
      arguments = new Object[] {host.object(cx), load};
    }
    return arguments;
  }
}
