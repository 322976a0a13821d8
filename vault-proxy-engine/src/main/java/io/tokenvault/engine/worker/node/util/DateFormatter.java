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

/** Dates in American English. */
final class DateFormatter {

  private static final Set<String> NUMERIC = Set.of("numeric", "2-digit");
  private static final Set<String> NAMES = Set.of("short", "long");
  private static final Set<String> MONTHS = Set.of("numeric", "2-digit", "short", "long");
  private static final String INVALID = "Invalid Date";

  private DateFormatter() {}

  /** As {@code toString} and {@code toTimeString} have it. */
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

  /** As {@code toLocaleString} and its like have it. */
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

  private static ZoneId zone(LocaleOptions options) {
    String name = options.text("timeZone", null, Set.of());
    try {
      return name == null ? ZoneId.systemDefault() : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw ScriptRuntime.rangeError("Invalid time zone specified: " + name);
    }
  }

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
