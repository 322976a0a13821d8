package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.node.script.RealmServices;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * {@code Date} that also parses formats which Node.js accepts and Rhino does not, such as {@code
 * 2024-01-02 03:04:05}. All other behavior is that of Rhino's {@code Date}.
 */
final class DateConstructor {

  /** The cost of parsing one text; see {@link RealmServices#spend}. */
  private static final int WORK = 500;

  /** The beginning of dates in ISO format. */
  private static final Pattern ISO =
      Pattern.compile("([+-]\\d{2})?\\d{4}(-\\d.*)?", Pattern.DOTALL);

  /** Dates that V8 reads on after their beginning in ISO format. */
  private static final Pattern LEGACY =
      Pattern.compile("\\d{4}(?!-\\d\\d-\\d\\d-).*", Pattern.DOTALL);

  /** An offset without a colon after a time in ISO format, which Rhino does not accept. */
  private static final Pattern OFFSET = Pattern.compile("(T.*[+-]\\d{2})(\\d{2})");

  /** A day that may be after the end of its month, before a time, which Rhino does not accept. */
  private static final Pattern LATE_DAY = Pattern.compile("(.*-\\d{2}-)(29|3[01])(T.*)");

  private static final double DAY_MILLIS = 86_400_000;

  private final ScriptableObject realm;
  private final BaseFunction original;
  private final LongConsumer work;

  private DateConstructor(ScriptableObject realm, LongConsumer work) {
    this.realm = realm;
    this.original = (BaseFunction) realm.get("Date", realm);
    this.work = work;
  }

  /** Replaces {@code Date} in a realm. */
  static void install(ScriptableObject realm, LongConsumer work) {
    new DateConstructor(realm, work).replace();
  }

  private void replace() {
    ScriptableObject prototype = (ScriptableObject) original.getPrototypeProperty();
    LambdaConstructor date =
        new LambdaConstructor(
            realm,
            "Date",
            7,
            prototype,
            (cx, scope, self, args) -> ScriptRuntime.toString(construct(cx)),
            (cx, scope, args) -> construct(cx, args));
    date.setPrototypePropertyAttributes(
        ScriptableObject.DONTENUM | ScriptableObject.READONLY | ScriptableObject.PERMANENT);
    define(date, "now", original.get("now", original));
    define(date, "UTC", original.get("UTC", original));
    define(
        date,
        "parse",
        new LambdaFunction(
            realm,
            "parse",
            1,
            (cx, scope, self, args) -> parse(cx, ScriptRuntime.toString(args, 0))));
    define(realm, "Date", date);
    define(prototype, "constructor", date);
    define(prototype, "toGMTString", prototype.get("toUTCString", prototype));
  }

  private static void define(ScriptableObject object, String name, Object value) {
    object.defineProperty(name, value, ScriptableObject.DONTENUM);
  }

  private Scriptable construct(Context cx, Object... args) {
    if (args.length != 1) {
      return original.construct(cx, realm, args);
    }
    boolean isDate = args[0] instanceof Scriptable date && "Date".equals(date.getClassName());
    Object value = isDate ? args[0] : ScriptRuntime.toPrimitive(args[0]);
    Object given = value instanceof CharSequence text ? parse(cx, text.toString()) : value;
    return original.construct(cx, realm, new Object[] {given});
  }

  /** Parses a text, one in ISO format first as Rhino does; NaN if it is not a date. */
  private double parse(Context cx, String text) {
    work.accept(WORK + text.length());
    if (!ISO.matcher(text).matches()) {
      return LegacyDateParser.parse(text);
    }
    String iso = OFFSET.matcher(text.toUpperCase(Locale.ROOT)).replaceFirst("$1:$2");
    double time = parseIso(cx, iso);
    Matcher late = LATE_DAY.matcher(iso);
    if (Double.isNaN(time) && late.matches()) {
      time =
          parseIso(cx, late.group(1) + "01" + late.group(3))
              + DAY_MILLIS * (Integer.parseInt(late.group(2)) - 1);
    }
    return Double.isNaN(time) && LEGACY.matcher(text).matches()
        ? LegacyDateParser.parse(text)
        : time;
  }

  private double parseIso(Context cx, String text) {
    Function parse = (Function) original.get("parse", original);
    return ScriptRuntime.toNumber(parse.call(cx, realm, original, new Object[] {text}));
  }
}
