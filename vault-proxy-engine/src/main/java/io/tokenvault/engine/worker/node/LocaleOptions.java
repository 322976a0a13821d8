package io.tokenvault.engine.worker.node;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Locale and options of a {@code toLocaleString} call.
 *
 * <p>A formatter removes the options that it knows and then calls {@link #refuseRest}, so that an
 * unsupported option throws instead of being ignored.
 */
final class LocaleOptions {

  /** The locales that are supported, in lower case. */
  private static final Set<String> LOCALES = Set.of("en-us", "en");

  /** The locale of a call that gives none. */
  private static final String DEFAULT = "en-US";

  private final Context cx;
  private final Scriptable realm;
  private final Map<String, String> options = new LinkedHashMap<>();

  private LocaleOptions(Context cx, Scriptable realm) {
    this.cx = cx;
    this.realm = realm;
  }

  /**
   * Reads the arguments of a call.
   *
   * @throws RuntimeException a JavaScript error if the locale is not supported
   */
  static LocaleOptions read(Context cx, Scriptable realm, Object[] args) {
    LocaleOptions read = new LocaleOptions(cx, realm);
    if (!LOCALES.contains(String.valueOf(locale(args)).toLowerCase(Locale.ROOT))) {
      throw read.refused("the locale is not en-US");
    }
    if (args.length > 1 && args[1] instanceof Scriptable given) {
      read.take(given);
    }
    read.text("localeMatcher", null, Set.of("lookup", "best fit"));
    read.text("numberingSystem", null, Set.of("latn"));
    read.text("calendar", null, Set.of("gregory"));
    return read;
  }

  /** Returns the locale of a call: the first argument, or its first element if it is a list. */
  static Object locale(Object[] args) {
    Object given = args.length > 0 ? args[0] : Undefined.instance;
    if (given instanceof NativeArray list) {
      return list.isEmpty() ? DEFAULT : list.get(0);
    }
    return Undefined.isUndefined(given) ? DEFAULT : given;
  }

  /** Reads all options that are not undefined, as strings. */
  private void take(Scriptable given) {
    for (Object id : given.getIds()) {
      Object value = ScriptableObject.getProperty(given, id.toString());
      if (!Undefined.isUndefined(value)) {
        options.put(id.toString(), ScriptRuntime.toString(value));
      }
    }
  }

  /** Adds options, as in {@code hour=numeric minute=2-digit}. */
  void putAll(String pairs) {
    for (String pair : pairs.split(" ")) {
      String[] option = pair.split("=");
      options.put(option[0], option[1]);
    }
  }

  /** Returns whether an option was given and is not yet removed. */
  boolean has(String name) {
    return options.containsKey(name);
  }

  /**
   * Removes and returns an option.
   *
   * @param other the value if the option is missing
   * @param known the valid values; empty for any value
   * @throws RuntimeException a JavaScript error if the value is not valid
   */
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

  /**
   * Removes an option and returns what its value stands for.
   *
   * @param other the value if the option is missing; null for none
   * @param meanings the meanings of the valid values
   * @return empty for no value
   */
  String meaning(String name, String other, Map<String, String> meanings) {
    String value = text(name, other, meanings.keySet());
    return value == null ? "" : meanings.get(value);
  }

  /**
   * Removes and returns a number of digits.
   *
   * @param other the value if the option is missing
   * @throws RuntimeException a {@code RangeError} if it is not an integer from 0 to 20
   */
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

  /** Throws if an option is left, after the known ones have been removed. */
  void refuseRest() {
    for (String name : options.keySet()) {
      boolean plain = name.matches("[A-Za-z]{1,32}");
      throw refused("the option " + (plain ? name : "given") + " is not known here");
    }
  }

  /** Returns the error for arguments that are not supported. */
  RuntimeException refused(String why) {
    return ScriptRuntime.throwError(cx, realm, "toLocaleString: " + why);
  }
}
