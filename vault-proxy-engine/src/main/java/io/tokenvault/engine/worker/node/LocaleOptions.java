package io.tokenvault.engine.worker.node;

import java.util.IllformedLocaleException;
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
 * unsupported option of Node.js throws instead of being ignored.
 */
final class LocaleOptions {

  /** The locales that are supported, in lower case. */
  private static final Set<String> LOCALES = Set.of("en-us", "en");

  /** The locale of a call that gives none. */
  private static final String DEFAULT = "en-US";

  private static final String NO_OBJECT = "Cannot convert undefined or null to object";

  private static final String BAD_LOCALE = "Incorrect locale information provided";

  private final Context cx;
  private final Scriptable realm;
  private final Map<String, Object> options = new LinkedHashMap<>();

  private LocaleOptions(Context cx, Scriptable realm) {
    this.cx = cx;
    this.realm = realm;
  }

  /**
   * Reads the arguments of a call.
   *
   * @throws RuntimeException a JavaScript error if the locale is not supported, or another one in
   *     its list is malformed
   */
  static LocaleOptions read(Context cx, Scriptable realm, Object[] args) {
    LocaleOptions read = readAnyLocale(cx, realm, args);
    if (!LOCALES.contains(locale(args).toLowerCase(Locale.ROOT))) {
      throw read.refused("the locale is not en-US");
    }
    return read;
  }

  /**
   * Reads the arguments of a call whose result does not depend on the locale.
   *
   * @throws RuntimeException a JavaScript error if a locale is malformed
   */
  static LocaleOptions readAnyLocale(Context cx, Scriptable realm, Object[] args) {
    LocaleOptions read = new LocaleOptions(cx, realm);
    if (args.length > 0 && args[0] instanceof NativeArray list) {
      for (Object each : list) {
        tag(each);
      }
    }
    locale(args);
    if (args.length > 1 && args[1] == null) {
      throw ScriptRuntime.typeError(NO_OBJECT);
    }
    if (args.length > 1 && args[1] instanceof Scriptable given) {
      read.take(given);
    }
    read.text("localeMatcher", null, Set.of("lookup", "best fit"));
    read.text("numberingSystem", null, Set.of("latn"));
    return read;
  }

  /**
   * Returns the locale of a call: the first argument, or its first element if it is a list.
   *
   * @throws RuntimeException a JavaScript error if it is malformed
   */
  static String locale(Object[] args) {
    Object given = args.length > 0 ? args[0] : Undefined.instance;
    if (given == null) {
      throw ScriptRuntime.typeError(NO_OBJECT);
    }
    if (given instanceof NativeArray list) {
      return list.isEmpty() ? DEFAULT : tag(list.get(0));
    }
    return given instanceof CharSequence ? tag(given) : DEFAULT;
  }

  /**
   * Returns a language tag as text.
   *
   * @throws RuntimeException a JavaScript error if it is no text or malformed
   */
  private static String tag(Object given) {
    if (!(given instanceof CharSequence)) {
      throw ScriptRuntime.typeError(BAD_LOCALE);
    }
    String tag = given.toString();
    if (!isWellFormed(tag)) {
      throw ScriptRuntime.rangeError(BAD_LOCALE);
    }
    return tag;
  }

  private static boolean isWellFormed(String tag) {
    try {
      new Locale.Builder().setLanguageTag(tag);
      return !tag.isEmpty();
    } catch (IllformedLocaleException malformed) {
      return false;
    }
  }

  /** Reads all options that are not undefined. */
  private void take(Scriptable given) {
    for (Object id : given.getIds()) {
      Object value = ScriptableObject.getProperty(given, id.toString());
      if (!Undefined.isUndefined(value)) {
        options.put(id.toString(), value);
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
   * @throws RuntimeException a {@code RangeError} if the value is not valid
   */
  String text(String name, String other, Set<String> known) {
    if (!has(name)) {
      return other;
    }
    String value = ScriptRuntime.toString(options.remove(name));
    if (!known.isEmpty() && !known.contains(value)) {
      throw outOfRange(name);
    }
    return value;
  }

  /** Returns whether an option is given and JavaScript takes its value for true. */
  boolean isTrue(String name) {
    return has(name) && ScriptRuntime.toBoolean(options.get(name));
  }

  /** Returns whether an option is given and JavaScript takes its value for false. */
  boolean isFalse(String name) {
    return has(name) && !ScriptRuntime.toBoolean(options.get(name));
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
   * Removes and returns a number of digits, without its fraction.
   *
   * @param other the value if the option is missing
   * @throws RuntimeException a {@code RangeError} if it is not a number from {@code min} to {@code
   *     max}
   */
  int number(String name, int other, int min, int max) {
    if (!has(name)) {
      return other;
    }
    double value = ScriptRuntime.toNumber(options.remove(name));
    if (!(value >= min && value <= max)) {
      throw outOfRange(name);
    }
    return (int) value;
  }

  private static RuntimeException outOfRange(String name) {
    return ScriptRuntime.rangeError(name + " value is out of range.");
  }

  /**
   * Throws if an option of Node.js is left, after the supported ones have been removed.
   *
   * @param unsupported the options that are unsupported here, of this kind of formatter
   */
  void refuseRest(Set<String> unsupported) {
    for (String name : options.keySet()) {
      if (unsupported.contains(name)) {
        throw refused("the option " + name + " is not supported");
      }
    }
  }

  /** Returns the error for arguments that are not supported. */
  RuntimeException refused(String why) {
    return ScriptRuntime.throwError(cx, realm, "toLocaleString: " + why);
  }
}
