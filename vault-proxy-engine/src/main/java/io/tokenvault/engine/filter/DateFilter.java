package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The filter {@code date}, which formats a date by a pattern of {@code strftime}. Input is parsed
 * here: the library returns text that it cannot parse unchanged, and takes missing fields from the
 * clock.
 */
final class DateFilter {

  private static final int MAX_FORMAT = 200;
  private static final int MAX_TEXT = 64;

  /** A width of three digits or more, which would make the output huge. */
  private static final Pattern WIDE_FIELD = Pattern.compile("[0-9]{3}");

  /** An ISO 8601 date with an optional time, by default midnight, and an optional offset. */
  private static final DateTimeFormatter MOMENT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalEnd()
          .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private DateFilter() {}

  static FilterDefinition definition() {
    return FilterDefinition.of("date", FilterSignature.of(1), DateFilter::bind);
  }

  /** Checks the format and returns a step that applies it. */
  private static Filter.Step bind(FilterArguments arguments) {
    String format = arguments.text(0);
    if (format.isBlank() || format.length() > MAX_FORMAT || WIDE_FIELD.matcher(format).find()) {
      throw new ExpressionException("requires a format such as '%Y-%m-%d' as argument 1");
    }
    return input -> {
      ZonedDateTime moment = moment(input);
      Object written = TextFilters.applyLiquid("date", moment, format);
      if (written instanceof String text) {
        return FilterValue.of(JsonValue.of(text));
      }
      throw new ExpressionException("cannot write a date in that format");
    };
  }

  /** Returns the date of a number (seconds since 1970) or a text. */
  private static ZonedDateTime moment(FilterValue input) {
    try {
      if (input.value() instanceof JsonNumber seconds) {
        return Instant.ofEpochSecond(Long.parseLong(seconds.literal())).atZone(ZoneOffset.UTC);
      }
      String text = input.text().strip();
      if (text.length() > MAX_TEXT) {
        throw new DateTimeException("too long");
      }
      return MOMENT.parse(text.replaceFirst(" ", "T"), ZonedDateTime::from);
    } catch (DateTimeException | NumberFormatException malformed) {
      throw new ExpressionException(
          "requires seconds since 1970, or a date such as 2026-01-31T23:59:59Z");
    }
  }
}
