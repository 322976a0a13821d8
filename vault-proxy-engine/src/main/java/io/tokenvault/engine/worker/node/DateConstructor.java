package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.node.script.RealmServices;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
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

  /** Dates with one-digit months and days, an optional time, and an optional zone. */
  private static final Pattern LOOSE =
      Pattern.compile(
          "(\\d{4})-(\\d{1,2})-(\\d{1,2})"
              + "(?:[ T](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9})\\d*)?)?)?"
              + " ?(?:(Z|UTC|GMT)|([+-]\\d{2}):?(\\d{2}))?",
          Pattern.CASE_INSENSITIVE);

  /** The beginning of dates in ISO format, and of those that {@link #LOOSE} describes. */
  private static final Pattern ISO =
      Pattern.compile("([+-]\\d{2})?\\d{4}(-\\d.*)?", Pattern.DOTALL);

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
    boolean text = args.length == 1 && args[0] instanceof CharSequence;
    Object[] given = text ? new Object[] {parse(cx, args[0].toString())} : args;
    return original.construct(cx, realm, given);
  }

  /** Parses a text, one in ISO format first as Rhino does; NaN if it is not a date. */
  private double parse(Context cx, String text) {
    work.accept(WORK + text.length());
    if (!ISO.matcher(text.strip()).matches()) {
      return LegacyDateParser.parse(text);
    }
    Function parse = (Function) original.get("parse", original);
    Object[] args = {text};
    double time = ScriptRuntime.toNumber(parse.call(cx, realm, original, args));
    return Double.isNaN(time) ? parseLoosely(text.strip()) : time;
  }

  /** Parses a text in the additional formats; NaN if it has none of them. */
  private static double parseLoosely(String text) {
    Matcher matcher = LOOSE.matcher(text);
    if (!matcher.matches()) {
      return Double.NaN;
    }
    try {
      // The 30th of February is the 1st or 2nd of March; the 32nd is no day of any month.
      int day = ChronoField.DAY_OF_MONTH.checkValidIntValue(number(matcher, 3));
      LocalDateTime time =
          LocalDateTime.of(
                  number(matcher, 1),
                  number(matcher, 2),
                  1,
                  number(matcher, 4),
                  number(matcher, 5),
                  number(matcher, 6),
                  nanos(matcher.group(7)))
              .plusDays(day - 1L);
      return time.atZone(zone(matcher)).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }

  private static int number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static int nanos(String fraction) {
    return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
  }

  /** Returns the zone of a text; the default zone if it names none. */
  private static ZoneId zone(Matcher matcher) {
    if (matcher.group(8) != null) {
      return ZoneOffset.UTC;
    }
    boolean offset = matcher.group(9) != null;
    return offset
        ? ZoneOffset.of(matcher.group(9) + ":" + matcher.group(10))
        : ZoneId.systemDefault();
  }
}
