package io.tokenvault.engine.worker.node.util;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** The arguments of {@code toLocaleString}. */
final class LocaleOptions {

  private static final Set<String> LOCALES = Set.of("en-US", "en");

  private final Context cx;
  private final Scriptable realm;
  private final Map<String, String> options = new LinkedHashMap<>();

  private LocaleOptions(Context cx, Scriptable realm) {
    this.cx = cx;
    this.realm = realm;
  }

  static LocaleOptions read(Context cx, Scriptable realm, Object[] args) {
    LocaleOptions read = new LocaleOptions(cx, realm);
    if (args.length > 0 && !Undefined.isUndefined(args[0])) {
      read.checkLocale(args[0]);
    }
    if (args.length > 1 && args[1] instanceof Scriptable given) {
      read.take(given);
    }
    return read;
  }

  private void checkLocale(Object locale) {
    Object first = locale;
    if (locale instanceof NativeArray list) {
      first = list.isEmpty() ? "en-US" : list.get(0);
    }
    if (!LOCALES.contains(String.valueOf(first))) {
      throw refused("the locale is not en-US");
    }
  }

  private void take(Scriptable given) {
    for (Object id : given.getIds()) {
      Object value = ScriptableObject.getProperty(given, id.toString());
      if (!Undefined.isUndefined(value)) {
        options.put(id.toString(), ScriptRuntime.toString(value));
      }
    }
  }

  boolean isEmpty() {
    return options.isEmpty();
  }

  boolean has(String name) {
    return options.containsKey(name);
  }

  /** Takes an option out. */
  String text(String name, String other, Set<String> known) {
    String value = options.remove(name);
    if (value == null) {
      return other;
    }
    if (!known.isEmpty() && !known.contains(value)) {
      throw refused("the option " + name + " has a value that is not known here");
    }
    return value;
  }

  /** Takes an option out. */
  int number(String name, int other) {
    String value = options.remove(name);
    if (value == null) {
      return other;
    }
    if (!value.matches("\\d|1\\d|20")) {
      throw ScriptRuntime.rangeError(name + " value is out of range.");
    }
    return Integer.parseInt(value);
  }

  /** Call it when all that are known have been taken out. */
  void refuseRest() {
    for (String name : options.keySet()) {
      boolean plain = name.matches("[A-Za-z]{1,32}");
      throw refused("the option " + (plain ? name : "given") + " is not known here");
    }
  }

  RuntimeException refused(String why) {
    return ScriptRuntime.throwError(cx, realm, "toLocaleString: " + why);
  }
}
