package io.tokenvault.engine.worker.node.script;

import io.tokenvault.engine.worker.compile.ScriptParser;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The parsed scripts of the surface, independent of any realm.
 *
 * <p>Those that most transforms do not need are parsed when they are first used, such as the URL
 * standard and streams, which are longer than all others together.
 */
public final class RuntimeScripts {

  /** The scripts that are parsed when the worker starts. */
  private static final List<String> EAGER =
      List.of(
          "abort bt clone console define errors events fetch querystring timers inspect url util"
              .split(" "));

  private final Map<String, Script> parsed = new HashMap<>();

  private RuntimeScripts() {}

  public static RuntimeScripts parse() {
    RuntimeScripts scripts = new RuntimeScripts();
    EAGER.forEach(name -> scripts.parsed.put(name, parse(name)));
    return scripts;
  }

  private static Script parse(String name) {
    return ScriptParser.parse(
        ScriptResources.text(RuntimeScripts.class, name + ".js"), "node:" + name);
  }

  /** Returns a script, which is parsed on first use. */
  Script get(String name) {
    return parsed.computeIfAbsent(name, RuntimeScripts::parse);
  }

  /**
   * The modules of the surface that one realm has loaded so far.
   *
   * <p>Each is created by a script, which runs once when the module is first used.
   */
  public static final class RealmModules {

    /** The key of the modules among the values that are associated with a realm. */
    private static final Object KEY = "io.tokenvault.realm";

    private final ScriptableObject realm;
    private final RuntimeScripts scripts;
    private final ScriptHost host;

    /** The values of the scripts that have run, by name. */
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

    /** Returns the modules of the realm to which a scope belongs. */
    public static RealmModules of(Scriptable scope) {
      ScriptableObject top = (ScriptableObject) ScriptableObject.getTopLevelScope(scope);
      return (RealmModules) top.getAssociatedValue(KEY);
    }

    public boolean isLoaded(String name) {
      return loaded.containsKey(name);
    }

    /** Returns the value of a script, which runs on first use. */
    public Scriptable load(Context cx, String name) {
      Scriptable made = loaded.get(name);
      if (made == null) {
        Function script = (Function) scripts.get(name).exec(cx, realm, realm);
        made = (Scriptable) script.call(cx, realm, realm, arguments(cx));
        loaded.put(name, made);
      }
      return made;
    }

    /** Returns a property of the value of a script, which runs on first use. */
    public Object property(Context cx, String name, String property) {
      Scriptable made = load(cx, name);
      return ScriptableObject.getProperty(made, property);
    }

    /** Calls a function of the value of a script, which runs on first use. */
    public Object call(Context cx, String name, String function, Object... values) {
      return ((Function) property(cx, name, function)).call(cx, realm, realm, values);
    }

    /**
     * Returns the arguments of the scripts: the host object and a function that loads other
     * scripts. Transforms cannot reach either.
     */
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
}
