package io.tokenvault.engine.worker.node;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mozilla.javascript.ScriptRuntime;

/**
 * Formatter of dates in American English, with the defaults and options of {@code Intl} in Node.js.
 */
final class DateFormatter {

  /** The pattern of {@code toTimeString}, and of {@code toString}. */
  static final String TIME = "HH:mm:ss 'GMT'xx";

  static final String DATE_AND_TIME = "EEE MMM dd yyyy " + TIME;

  private static final Set<String> NUMERIC = Set.of("numeric", "2-digit");
  private static final Set<String> ZONE_NAMES =
      Set.of("short", "long", "shortOffset", "longOffset");

  /** The patterns of the options for the parts of a date. */
  private static final Map<String, String> WEEKDAYS = Map.of("short", "EEE", "long", "EEEE");

  private static final Map<String, String> YEARS = Map.of("numeric", "y", "2-digit", "yy");
  private static final Map<String, String> MONTHS =
      Map.of("numeric", "M", "2-digit", "MM", "short", "MMM", "long", "MMMM");
  private static final Map<String, String> DAYS = Map.of("numeric", "d", "2-digit", "dd");

  /** The hours from 0 to 11, from 1 to 12, from 0 to 23, and from 1 to 24. */
  private static final Map<String, String> HOURS =
      Map.of("h11", "K", "h12", "h", "h23", "H", "h24", "k");

  /** The options that the styles of a date and of a time stand for. */
  private static final Map<String, String> DATE_STYLES =
      Map.of(
          "full", "weekday=long year=numeric month=long day=numeric",
          "long", "year=numeric month=long day=numeric",
          "medium", "year=numeric month=short day=numeric",
          "short", "year=2-digit month=numeric day=numeric");

  private static final Map<String, String> TIME_STYLES =
      Map.of(
          "full", "hour=numeric minute=2-digit second=2-digit timeZoneName=long",
          "long", "hour=numeric minute=2-digit second=2-digit timeZoneName=short",
          "medium", "hour=numeric minute=2-digit second=2-digit",
          "short", "hour=numeric minute=2-digit");

  /** The options that select a part of a date. */
  private static final List<String> PARTS =
      List.of("weekday", "year", "month", "day", "hour", "minute", "second", "timeZoneName");

  /** The abbreviations of time zones that Node.js shows in American English. */
  private static final String AMERICAN = "[AECMP][SD]T|AK[SD]T|HST";

  /** The names of all time zones, in any case. */
  private static final Map<String, String> ZONES = zones();

  /** The options of Node.js that are unsupported here, of formatters of dates. */
  private static final Set<String> UNSUPPORTED = Set.of("dayPeriod", "fractionalSecondDigits");

  private static final String UTC = "Coordinated Universal Time";
  private static final String INVALID = "Invalid Date";

  private DateFormatter() {}

  private static Map<String, String> zones() {
    Map<String, String> zones = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    ZoneId.getAvailableZoneIds().forEach(id -> zones.put(id, id));
    return zones;
  }

  /**
   * Formats a date in the default time zone, with the name of the zone.
   *
   * @param time milliseconds since the epoch; NaN for an invalid date
   * @param pattern {@link #TIME} or {@link #DATE_AND_TIME}
   */
  static String write(double time, String pattern) {
    if (Double.isNaN(time)) {
      return INVALID;
    }
    ZonedDateTime at = at(time, ZoneId.systemDefault());
    String zone = isUtc(at.getZone()) ? UTC : format(at, "zzzz");
    return format(at, pattern) + " (" + zone + ")";
  }

  private static String format(ZonedDateTime at, String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.US).format(at);
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
    options.text("formatMatcher", null, Set.of("basic", "best fit"));
    options.text("calendar", null, Set.of("gregory"));
    ZoneId zone = zone(options);
    replaceStyles(options);
    String pattern = pattern(options, date, clock, hourLetter(options));
    String zoneName = options.text("timeZoneName", null, ZONE_NAMES);
    options.refuseRest(UNSUPPORTED);
    if (Double.isNaN(time)) {
      return INVALID;
    }
    ZonedDateTime at = at(time, zone);
    String shown = format(at, pattern);
    String space = shown.endsWith(" ") ? "" : " ";
    return zoneName == null ? shown : shown + space + zoneName(at, zoneName);
  }

  /**
   * Returns the letter of the hours: {@code h} from 1 to 12, {@code k} from 1 to 24, as Node.js
   * shows them if {@code hour12} is false, {@code H} from 0 to 23, {@code K} from 0 to 11.
   */
  private static String hourLetter(LocaleOptions options) {
    String ofCycle = options.meaning("hourCycle", "h12", HOURS);
    boolean isFalse = options.isFalse("hour12");
    if (options.text("hour12", null, Set.of()) == null) {
      return ofCycle;
    }
    return isFalse ? "k" : "h";
  }

  /** Replaces {@code dateStyle} and {@code timeStyle} by the parts that they stand for. */
  private static void replaceStyles(LocaleOptions options) {
    String date = options.meaning("dateStyle", null, DATE_STYLES);
    String clock = options.meaning("timeStyle", null, TIME_STYLES);
    String both = (date + " " + clock).strip();
    if (both.isEmpty()) {
      return;
    }
    for (String part : PARTS) {
      if (options.has(part)) {
        throw ScriptRuntime.typeError("Can't set option " + part + " when a style is used");
      }
    }
    options.putAll(both);
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
    return format(at, pattern);
  }

  /** Returns whether Node.js shows an abbreviation, such as EST, instead of the offset. */
  private static boolean isAmerican(ZonedDateTime at) {
    return at.getZone().getId().matches("(America|US|Pacific/Honolulu).*")
        && format(at, "zzz").matches(AMERICAN);
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
      LocaleOptions options, boolean date, boolean clock, String hourLetter) {
    boolean day = Set.of("weekday", "year", "month", "day").stream().anyMatch(options::has);
    boolean hours = Set.of("hour", "minute", "second").stream().anyMatch(options::has);
    String era = options.text("era", null, Set.of("short"));
    boolean usualDay = !day && (era != null || (date && !(clock && hours)));
    boolean usualHours = !hours && clock && !(date && day);
    String days = days(options, usualDay) + (era == null ? "" : " G");
    String clocks = clock(options, usualHours, hourLetter);
    if (days.isEmpty() || (clocks.isEmpty() && !options.has("timeZoneName"))) {
      return days + clocks;
    }
    if (days.contains("MMMM")) {
      return days + " 'at' " + clocks;
    }
    return days + (days.matches("E+") ? " " : ", ") + clocks;
  }

  /** Builds the pattern of the date; empty if no part of it is shown. */
  private static String days(LocaleOptions options, boolean usual) {
    String numeric = usual ? "numeric" : null;
    String weekday = options.meaning("weekday", null, WEEKDAYS);
    String year = options.meaning("year", numeric, YEARS);
    String month = options.meaning("month", numeric, MONTHS);
    String day = options.meaning("day", numeric, DAYS);
    if (month.length() <= 2) {
      // A number, or no month.
      return join(", ", weekday, join("/", month, day, year));
    }
    return join(", ", weekday, join(day.isEmpty() ? " " : ", ", join(" ", month, day), year));
  }

  /** Builds the pattern of the time of day; empty if no part of it is shown. */
  private static String clock(LocaleOptions options, boolean usual, String hourLetter) {
    String hour = options.text("hour", usual ? "numeric" : null, NUMERIC);
    String minute = options.text("minute", usual ? "2-digit" : null, NUMERIC);
    String second = options.text("second", usual ? "2-digit" : null, NUMERIC);
    if (hour != null && minute == null && second != null) {
      throw options.refused("seconds need minutes beside an hour");
    }
    boolean alone = hour == null && (minute == null || second == null);
    String minutes = minute == null ? "" : "m".repeat(alone ? 1 : 2);
    String seconds = second == null ? "" : "s".repeat(alone ? 1 : 2);
    if (hour == null) {
      return join(":", minutes, seconds);
    }
    boolean half = hourLetter.equals("h") || hourLetter.equals("K");
    String hours = hourLetter.repeat(half && !hour.equals("2-digit") ? 1 : 2);
    return join(":", hours, minutes, seconds) + (half ? " a" : "");
  }

  private static String join(String separator, String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(separator));
  }
}
