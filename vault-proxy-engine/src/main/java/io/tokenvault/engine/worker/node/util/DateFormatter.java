package io.tokenvault.engine.worker.node.util;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
  private static final String INVALID = "Invalid Date";

  private DateFormatter() {}

  /**
   * Formats a date as {@code toString} and {@code toTimeString} do.
   *
   * @param time milliseconds since the epoch; NaN for an invalid date
   * @param date whether to include the date
   * @param clock whether to include the time of day
   */
  static String write(double time, boolean date, boolean clock) {
    if (Double.isNaN(time)) {
      return INVALID;
    }
    ZonedDateTime at = at(time, ZoneId.systemDefault());
    String zone =
        at.getOffset().getTotalSeconds() == 0 && isUtc(at.getZone())
            ? "Coordinated Universal Time"
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
    options.text("hourCycle", null, Set.of("h12"));
    boolean half = !options.text("hour12", "true", Set.of("true", "false")).equals("false");
    String pattern = pattern(options, date, clock, half);
    options.refuseRest();
    if (Double.isNaN(time)) {
      return INVALID;
    }
    return DateTimeFormatter.ofPattern(pattern, Locale.US).format(at(time, zone));
  }

  private static ZonedDateTime at(double time, ZoneId zone) {
    return Instant.ofEpochMilli((long) time).atZone(zone);
  }

  /** Returns the zone of the option {@code timeZone}; the default zone if it is missing. */
  private static ZoneId zone(LocaleOptions options) {
    String name = options.text("timeZone", null, Set.of());
    try {
      return name == null ? ZoneId.systemDefault() : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw ScriptRuntime.rangeError("Invalid time zone specified: " + name);
    }
  }

  /**
   * Builds the pattern for {@link DateTimeFormatter}. The defaults apply only if no option selects
   * a part that the method shows.
   */
  private static String pattern(LocaleOptions options, boolean date, boolean clock, boolean half) {
    boolean day = Set.of("weekday", "year", "month", "day").stream().anyMatch(options::has);
    boolean hours = Set.of("hour", "minute", "second").stream().anyMatch(options::has);
    boolean neither = !day && !hours;
    String days = days(options, date && (clock ? neither : !day));
    String clocks = hours(options, clock && (date ? neither : !hours), half);
    if (days.isEmpty() || clocks.isEmpty()) {
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
  private static String hours(LocaleOptions options, boolean usual, boolean half) {
    String hour = options.text("hour", usual ? "numeric" : null, NUMERIC);
    String minute = options.text("minute", usual ? "2-digit" : null, NUMERIC);
    String second = options.text("second", usual ? "2-digit" : null, NUMERIC);
    boolean alone = hour == null && (minute == null || second == null);
    String minutes = minute == null ? "" : alone ? "m" : "mm";
    String seconds = second == null ? "" : alone ? "s" : "ss";
    boolean padded = !half || "2-digit".equals(hour);
    String hours = hour == null ? "" : half ? padded ? "hh" : "h" : "kk";
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
