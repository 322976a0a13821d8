package io.tokenvault.adapters.http.exchange;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads times in requests: ISO 8601 with an offset, to the microsecond. Finer digits are truncated.
 */
public final class Timestamps {

  /** Describes the accepted form of a time, as a message for a violation. */
  public static final String SHAPE = "must be an ISO 8601 date-time with an offset";

  /** Describes the accepted form of a date or time, as a message for a violation. */
  public static final String DATE_SHAPE = "must be an ISO 8601 date, or a date-time with an offset";

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern SPACE_FOR_PLUS = Pattern.compile(" (?=\\d{2}:\\d{2}$)");

  private Timestamps() {}

  /** Parses a time; empty unless it is a date-time with an offset in the years 1 to 9999 of UTC. */
  public static Optional<Instant> read(String text) {
    try {
      OffsetDateTime time =
          OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
              .withOffsetSameInstant(ZoneOffset.UTC);
      boolean usual = time.getYear() >= 1 && time.getYear() <= 9999;
      return usual
          ? Optional.of(time.toInstant().truncatedTo(ChronoUnit.MICROS))
          : Optional.empty();
    } catch (DateTimeException malformed) {
      return Optional.empty();
    }
  }

  /**
   * Parses a date or time from the query of a URL like {@link #readDateOrTime}. The {@code +} of an
   * offset may have been decoded to a space.
   */
  public static Optional<Instant> readFromQuery(String text) {
    return readDateOrTime(SPACE_FOR_PLUS.matcher(text).replaceFirst("+"));
  }

  /**
   * Parses a date or time; a date stands for the start of that day in UTC.
   *
   * @return empty if the text has another form
   */
  public static Optional<Instant> readDateOrTime(String text) {
    return DATE.matcher(text).matches() ? startOfDay(text) : read(text);
  }

  private static Optional<Instant> startOfDay(String text) {
    try {
      LocalDate date = LocalDate.parse(text);
      return date.getYear() >= 1
          ? Optional.of(date.atStartOfDay(ZoneOffset.UTC).toInstant())
          : Optional.empty();
    } catch (DateTimeException malformed) {
      return Optional.empty();
    }
  }
}
