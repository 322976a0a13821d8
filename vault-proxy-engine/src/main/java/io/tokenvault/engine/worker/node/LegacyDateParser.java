package io.tokenvault.engine.worker.node;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Parser of dates that are not in ISO format, such as {@code 1/2/24}, {@code Jan 2024} and {@code 2
 * Jan 2024 3:04 pm EST}. The language leaves their meaning to the engine; this is that of V8.
 */
final class LegacyDateParser {

  private static final Pattern TOKEN = Pattern.compile("\\d+|[A-Za-z]+|\\s+|\\([^)]*\\)?|.");

  private static final List<String> MONTHS =
      List.of("jan feb mar apr may jun jul aug sep oct nov dec".split(" "));

  /**
   * The names of time zones, from UTC-8 to UTC-4. Daylight time has the hours of the next zone's
   * standard time.
   */
  private static final List<String> ZONES = List.of("pst pdt mst mdt cst cdt est edt".split(" "));

  private static final List<String> UTC = List.of("ut", "utc", "gmt", "z");

  private static final int MAX_DIGITS = 9;

  private static final int MAX_LENGTH = 1000;

  private final String[] tokens;
  private int at;

  /** The numbers of the day in the order of the text, such as month, day and year. */
  private final int[] day = {1, 1, 1};

  private int days;

  /** The month if it is named, from 1; otherwise 0. */
  private int month;

  /** Hour, minute, second and millisecond. */
  private final int[] time = new int[4];

  private int times;

  /** 0 for am and 12 for pm; -1 if neither is stated. */
  private int hourOffset = -1;

  private int zoneSign;

  /** -1 for no zone, which is UTC. */
  private int zoneHour = -1;

  /** -1 for minutes that follow. */
  private int zoneMinute = -1;

  private LegacyDateParser(String text) {
    tokens = TOKEN.matcher(text).results().map(MatchResult::group).toArray(String[]::new);
  }

  /** Returns the time of a date in milliseconds; NaN if it is none. */
  static double parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return Double.NaN;
    }
    LegacyDateParser parser = new LegacyDateParser(text);
    return parser.read() ? parser.result() : Double.NaN;
  }

  private boolean read() {
    boolean numberSeen = false;
    while (at < tokens.length) {
      String token = tokens[at++];
      char first = token.charAt(0);
      if (isDigit(first)) {
        numberSeen = true;
        if (!readNumber(token)) {
          return false;
        }
      } else if (Character.isLetter(first)) {
        if (!readWord(token.toLowerCase(Locale.ROOT), numberSeen)) {
          return false;
        }
      } else if ((first == '+' || first == '-') && (times > 0 || isUtc())) {
        numberSeen = true;
        if (!readOffset(first)) {
          return false;
        }
      } else if ((first == '+' || first == '-' || first == ')') && numberSeen) {
        return false;
      }
    }
    return days > 0;
  }

  private boolean readNumber(String digits) {
    int n = value(digits);
    if (skip(":")) {
      if (times == time.length) {
        return false;
      }
      time[times++] = n;
      return true;
    }
    if (skip(".") && expectsTime(n)) {
      time[times++] = n;
      String fraction = peek();
      at++;
      if (fraction.isEmpty() || !isDigit(fraction.charAt(0))) {
        return false;
      }
      // Without seconds, V8 takes the milliseconds for them.
      time[Math.min(times, 3)] = millis(fraction);
      times = time.length;
      return true;
    }
    if (zoneHour >= 0 && zoneMinute < 0 && n < 60) {
      zoneMinute = n;
      return true;
    }
    if (expectsTime(n)) {
      time[times] = n;
      times = time.length;
      String next = peek();
      return next.isBlank() || next.equalsIgnoreCase("z") || next.equals("+") || next.equals("-");
    }
    if (days == day.length) {
      return false;
    }
    day[days++] = n;
    skip("-");
    return true;
  }

  private boolean readWord(String word, boolean numberSeen) {
    String prefix = word.substring(0, Math.min(3, word.length()));
    if (times > 0 && (word.equals("am") || word.equals("pm"))) {
      hourOffset = word.equals("am") ? 0 : 12;
    } else if (MONTHS.contains(prefix)) {
      month = MONTHS.indexOf(prefix) + 1;
      skip("-");
    } else if (numberSeen && (UTC.contains(word) || ZONES.contains(word))) {
      int index = ZONES.indexOf(word);
      zoneSign = index < 0 ? 1 : -1;
      zoneHour = index < 0 ? 0 : 8 - (index + 1) / 2;
      zoneMinute = 0;
    } else {
      return !numberSeen && (peek().isEmpty() || !isDigit(peek().charAt(0)));
    }
    return true;
  }

  private boolean readOffset(char sign) {
    zoneSign = sign == '-' ? -1 : 1;
    String digits = !peek().isEmpty() && isDigit(peek().charAt(0)) ? tokens[at++] : "";
    int n = value(digits);
    boolean hoursOnly = digits.length() <= 2;
    zoneHour = hoursOnly ? n : n / 100;
    zoneMinute = peek().equals(":") ? -1 : hoursOnly ? 0 : n % 100;
    return zoneMinute < 0 || (!digits.isEmpty() && digits.length() <= 4);
  }

  private double result() {
    boolean yearFirst = day[0] < 1 || day[0] > 31;
    int year = month == 0 ? (yearFirst ? day[0] : day[2]) : (yearFirst ? day[0] : day[1]);
    int ofMonth = yearFirst ? (month == 0 ? day[2] : day[1]) : (month == 0 ? day[1] : day[0]);
    int ofYear = month > 0 ? month : yearFirst ? day[1] : day[0];
    year += year < 50 ? 2000 : year < 100 ? 1900 : 0;
    if (hourOffset >= 0) {
      if (time[0] < 0 || time[0] > 12) {
        return Double.NaN;
      }
      time[0] = time[0] % 12 + hourOffset;
    }
    boolean midnight = time[0] == 24 && Arrays.equals(time, new int[] {24, 0, 0, 0});
    boolean isTime = (time[0] < 24 && time[1] < 60 && time[2] < 60) || midnight;
    if (!isTime || ofYear < 1 || ofYear > 12 || ofMonth < 1 || ofMonth > 31 || year > 275_760) {
      return Double.NaN;
    }
    long epochDay = LocalDate.of(year, ofYear, 1).toEpochDay() + ofMonth - 1;
    long seconds = epochDay * 86_400 + time[0] * 3600L + time[1] * 60L + time[2];
    long zone = zoneSign * (Math.max(zoneHour, 0) * 3600L + Math.max(zoneMinute, 0) * 60L);
    return (seconds - zone) * 1000.0 + time[3];
  }

  private boolean isUtc() {
    return zoneHour == 0 && zoneMinute == 0;
  }

  private boolean expectsTime(int n) {
    return ((times == 1 || times == 2) && n < 60) || (times == 3 && n < 1000);
  }

  private boolean skip(String symbol) {
    boolean found = peek().equals(symbol);
    at += found ? 1 : 0;
    return found;
  }

  /** Returns the next token; an empty string at the end. */
  private String peek() {
    return at < tokens.length ? tokens[at] : "";
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int value(String digits) {
    String first = digits.replaceFirst("^0+(?=.)", "");
    return first.isEmpty()
        ? 0
        : Integer.parseInt(first.substring(0, Math.min(first.length(), MAX_DIGITS)));
  }

  private static int millis(String fraction) {
    return Integer.parseInt((fraction + "00").substring(0, 3));
  }
}
