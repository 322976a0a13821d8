package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.script.ScriptHost;
import java.util.ArrayList;
import java.util.List;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;

/**
 * The functions of {@code Object} that list properties, for proxies. Rhino's own functions fail if
 * a trap returns symbols, and do not ask the proxy which properties are enumerable.
 */
final class ProxyProperties {

  private static final String ALL = "getOwnPropertyNames";

  private final ScriptableObject global;
  private final ScriptableObject object;
  private final Function describe;

  private ProxyProperties(ScriptableObject global, ScriptableObject object) {
    this.global = global;
    this.object = object;
    this.describe = (Function) object.get("getOwnPropertyDescriptor", object);
  }

  /** Replaces the functions of {@code Object} in a realm. */
  static void install(ScriptableObject global, ScriptableObject object) {
    ProxyProperties properties = new ProxyProperties(global, object);
    for (String name : new String[] {"keys", "values", "entries", ALL}) {
      properties.replace(name, (Function) object.get(name, object));
    }
  }

  private void replace(String name, Function original) {
    HostFunction.replaceLazily(
        global,
        object,
        name,
        1,
        (cx, scope, self, args) ->
            ScriptHost.isProxy(HostFunction.argument(args, 0))
                ? list(cx, name, (ScriptableObject) args[0])
                : original.call(cx, global, self, args));
  }

  private Scriptable list(Context cx, String name, ScriptableObject proxy) {
    List<Object> listed = new ArrayList<>();
    for (Object id : proxy.getAllIds()) {
      if (!(id instanceof Symbol)) {
        String key = id.toString();
        if (name.equals(ALL) || isEnumerable(cx, proxy, key)) {
          listed.add(item(cx, name, proxy, key));
        }
      }
    }
    return cx.newArray(global, listed.toArray());
  }

  private boolean isEnumerable(Context cx, Scriptable proxy, String key) {
    return describe.call(cx, global, object, new Object[] {proxy, key})
            instanceof ScriptableObject descriptor
        && ScriptRuntime.toBoolean(ScriptableObject.getProperty(descriptor, "enumerable"));
  }

  private Object item(Context cx, String name, Scriptable proxy, String key) {
    return switch (name) {
      case "values" -> ScriptRuntime.getObjectElem(proxy, key, cx, global);
      case "entries" ->
          cx.newArray(
              global, new Object[] {key, ScriptRuntime.getObjectElem(proxy, key, cx, global)});
      default -> key;
    };
  }
}
