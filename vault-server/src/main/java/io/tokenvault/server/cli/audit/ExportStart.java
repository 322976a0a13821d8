package io.tokenvault.server.cli.audit;

import io.tokenvault.ports.audit.FeedPosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The start of an export: the start of the log, a time, or a position.
 *
 * @param time only entries that were written at this time or later
 * @param position only entries after this position; a time and a position exclude each other
 */
record ExportStart(Optional<Instant> time, Optional<FeedPosition> position) {

  static final ExportStart START = new ExportStart(Optional.empty(), Optional.empty());

  /** Parses a position or, if it is not one, a time. */
  static final class Reader implements ITypeConverter<ExportStart> {
    @Override
    public ExportStart convert(String text) {
      Optional<FeedPosition> position = FeedPosition.read(text);
      return position.isPresent()
          ? new ExportStart(Optional.empty(), position)
          : new ExportStart(Optional.of(new Moment().convert(text)), Optional.empty());
    }
  }

  /** Parses a date, which means its start in UTC, or a date and time with an offset (ISO 8601). */
  static final class Moment implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return text.indexOf('T') < 0
            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
            : OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException malformed) {
        throw new TypeConversionException(
            "neither a date such as 2025-01-31 or 2025-01-31T12:00:00Z nor a position of an"
                + " exported entry");
      }
    }
  }
}
