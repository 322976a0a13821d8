package io.tokenvault.engine.worker.node;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mozilla.javascript.ScriptRuntime;

/**
 * Formatter of dates in American English, with the defaults and options of {@code Intl} in Node.js.
 */
final class DateFormatter {

  /** The values of the options for numbers. */
  private static final Set<String> NUMERIC = Set.of("numeric", "2-digit");

  /** The values of the options for names. */
  private static final Set<String> NAMES = Set.of("short", "long");

  private static final Set<String> MONTHS = Set.of("numeric", "2-digit", "short", "long");
  private static final Set<String> STYLES = Set.of("full", "long", "medium", "short");
  private static final Set<String> ZONE_NAMES =
      Set.of("short", "long", "shortOffset", "longOffset");

  /** The options that select a part of a date. */
  private static final List<String> PARTS =
      List.of("weekday", "year", "month", "day", "hour", "minute", "second", "timeZoneName");

  /** The abbreviations of time zones that Node.js shows in American English. */
  private static final String AMERICAN = "[AECMP][SD]T|AK[SD]T|HST";

  /** The names of all time zones, in any case. */
  private static final Map<String, String> ZONES = zones();

  private static final String UTC = "Coordinated Universal Time";
  private static final String INVALID = "Invalid Date";

  private DateFormatter() {}

  private static Map<String, String> zones() {
    Map<String, String> zones = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ZoneId.getAvailableZoneIds().forEach(id -> zones.put(id, id));
    return zones;
  }

  /**
   * Formats a date as {@code toString} and {@code toTimeString} do.
   *
   * @param time milliseconds since the epoch; NaN for an invalid date
   */
  static String write(double time, boolean date, boolean clock) {
    if (Double.isNaN(time)) {
      return INVALID;
    }
    ZonedDateTime at = at(time, ZoneId.systemDefault());
    String zone =
        at.getOffset().getTotalSeconds() == 0 && isUtc(at.getZone())
            ? UTC
            : DateTimeFormatter.ofPattern("zzzz", Locale.US).format(at);
    String day = date ? DateTimeFormatter.ofPattern("EEE MMM dd yyyy ", Locale.US).format(at) : "";
    String hours =
        clock ? DateTimeFormatter.ofPattern("HH:mm:ss 'GMT'xx", Locale.US).format(at) : "";
    return day + hours + " (" + zone + ")";
  }

  private static boolean isUtc(ZoneId zone) {
    return Set.of("UTC", "Z", "GMT", "Etc/UTC").contains(zone.getId());
  }

  /**
   * Formats a date as {@code toLocaleString} and similar methods do.
   *
   * @param date whether the method shows the date by default
   * @param clock whether the method shows the time of day by default
   * @throws RuntimeException a JavaScript error if an option is unknown
   */
  static String write(double time, LocaleOptions options, boolean date, boolean clock) {
    ZoneId zone = zone(options);
    replaceStyles(options);
    String pattern = pattern(options, date, clock, hourLetter(options));
    String zoneName = options.text("timeZoneName", null, ZONE_NAMES);
    options.refuseRest();
    if (Double.isNaN(time)) {
      return INVALID;
    }
    ZonedDateTime at = at(time, zone);
    String shown = DateTimeFormatter.ofPattern(pattern, Locale.US).format(at);
    String space = shown.endsWith(" ") ? "" : " ";
    return zoneName == null ? shown : shown + space + zoneName(at, zoneName);
  }

  /**
   * Returns the letter of the hours: {@code h} from 1 to 12, {@code k} from 1 to 24, as Node.js
   * shows them if {@code hour12} is false, {@code H} from 0 to 23.
   */
  private static char hourLetter(LocaleOptions options) {
    String cycle = options.text("hourCycle", "h12", Set.of("h12", "h23", "h24"));
    String half = options.text("hour12", null, Set.of("true", "false"));
    if (half != null) {
      return half.equals("true") ? 'h' : 'k';
    }
    return cycle.equals("h12") ? 'h' : cycle.equals("h23") ? 'H' : 'k';
  }

  /**
   * Replaces {@code dateStyle} and {@code timeStyle} by the parts that they stand for.
   *
   * @throws RuntimeException a {@code TypeError} if a part is given beside them
   */
  private static void replaceStyles(LocaleOptions options) {
    String date = options.text("dateStyle", null, STYLES);
    String clock = options.text("timeStyle", null, STYLES);
    if (date == null && clock == null) {
      return;
    }
    for (String part : PARTS) {
      if (options.has(part)) {
        throw ScriptRuntime.typeError("Can't set option " + part + " when a style is used");
      }
    }
    if (date != null) {
      boolean numeric = date.equals("short");
      options.put("year", numeric ? "2-digit" : "numeric");
      options.put("month", numeric ? "numeric" : date.equals("medium") ? "short" : "long");
      options.put("day", "numeric");
    }
    if ("full".equals(date)) {
      options.put("weekday", "long");
    }
    if (clock != null) {
      options.put("hour", "numeric");
      options.put("minute", "2-digit");
    }
    if (clock != null && !clock.equals("short")) {
      options.put("second", "2-digit");
    }
    if ("full".equals(clock) || "long".equals(clock)) {
      options.put("timeZoneName", clock.equals("full") ? "long" : "short");
    }
  }

  /** Returns the name of a time zone: an American abbreviation, the offset, or the whole name. */
  private static String zoneName(ZonedDateTime at, String form) {
    boolean utc = isUtc(at.getZone());
    if (utc && !form.endsWith("Offset")) {
      return form.equals("long") ? UTC : "UTC";
    }
    String pattern =
        switch (form) {
          case "long" -> "zzzz";
          case "longOffset" -> "OOOO";
          case "shortOffset" -> "O";
          default -> isAmerican(at) ? "zzz" : "O";
        };
    return DateTimeFormatter.ofPattern(pattern, Locale.US).format(at);
  }

  /** Returns whether Node.js shows an abbreviation, such as EST, instead of the offset. */
  private static boolean isAmerican(ZonedDateTime at) {
    return at.getZone().getId().matches("(America|US|Pacific/Honolulu).*")
        && DateTimeFormatter.ofPattern("zzz", Locale.US).format(at).matches(AMERICAN);
  }

  private static ZonedDateTime at(double time, ZoneId zone) {
    return Instant.ofEpochMilli((long) time).atZone(zone);
  }

  /** Returns the zone of the option {@code timeZone}; the default zone if it is missing. */
  private static ZoneId zone(LocaleOptions options) {
    String name = options.text("timeZone", null, Set.of());
    String id = name == null ? null : ZONES.get(name);
    if (name != null && id == null) {
      throw ScriptRuntime.rangeError("Invalid time zone specified: " + name);
    }
    return id == null ? ZoneId.systemDefault() : ZoneId.of(id);
  }

  /**
   * Builds the pattern for {@link DateTimeFormatter}. The defaults apply only if no option selects
   * a part that the method shows.
   */
  private static String pattern(
      LocaleOptions options, boolean date, boolean clock, char hourLetter) {
    boolean day = Set.of("weekday", "year", "month", "day").stream().anyMatch(options::has);
    boolean hours = Set.of("hour", "minute", "second").stream().anyMatch(options::has);
    boolean neither = !day && !hours;
    String era = options.text("era", null, Set.of("short"));
    boolean usual = era == null ? date && (clock ? neither : !day) : !day;
    String days = days(options, usual) + (era == null ? "" : " G");
    String clocks = clock(options, clock && (date ? neither : !hours), hourLetter);
    if (days.isEmpty() || (clocks.isEmpty() && !options.has("timeZoneName"))) {
      return days + clocks;
    }
    String between = days.contains("MMMM") ? " 'at' " : days.matches("E+") ? " " : ", ";
    return days + between + clocks;
  }

  /** Builds the pattern of the date; empty if no part of it is shown. */
  private static String days(LocaleOptions options, boolean usual) {
    String weekday = options.text("weekday", null, NAMES);
    String year = options.text("year", usual ? "numeric" : null, NUMERIC);
    String month = options.text("month", usual ? "numeric" : null, MONTHS);
    String day = options.text("day", usual ? "numeric" : null, NUMERIC);
    String name = weekday == null ? "" : weekday.equals("long") ? "EEEE" : "EEE";
    String years = year == null ? "" : year.equals("2-digit") ? "yy" : "y";
    String days = day == null ? "" : day.equals("2-digit") ? "dd" : "d";
    if (month == null || !NAMES.contains(month)) {
      String months = month == null ? "" : month.equals("2-digit") ? "MM" : "M";
      return join(", ", name, join("/", months, days, years));
    }
    String months = month.equals("long") ? "MMMM" : "MMM";
    String separator = days.isEmpty() ? " " : ", ";
    return join(", ", name, join(separator, join(" ", months, days), years));
  }

  /** Builds the pattern of the time of day; empty if no part of it is shown. */
  private static String clock(LocaleOptions options, boolean usual, char hourLetter) {
    String hour = options.text("hour", usual ? "numeric" : null, NUMERIC);
    String minute = options.text("minute", usual ? "2-digit" : null, NUMERIC);
    String second = options.text("second", usual ? "2-digit" : null, NUMERIC);
    if (hour != null && minute == null && second != null) {
      throw options.refused("seconds need minutes beside an hour");
    }
    boolean alone = hour == null && (minute == null || second == null);
    String minutes = minute == null ? "" : alone ? "m" : "mm";
    String seconds = second == null ? "" : alone ? "s" : "ss";
    boolean half = hourLetter == 'h';
    int digits = hour == null ? 0 : half && !hour.equals("2-digit") ? 1 : 2;
    String hours = String.valueOf(hourLetter).repeat(digits);
    return join(":", hours, minutes, seconds) + (hour != null && half ? " a" : "");
  }

  /** Joins the parts that are not empty. */
  private static String join(String separator, String... parts) {
    List<String> present = new ArrayList<>();
    for (String part : parts) {
      if (!part.isEmpty()) {
        present.add(part);
      }
    }
    return String.join(separator, present);
  }
}
