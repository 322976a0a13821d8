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

/** Where an export starts: at the start of the log, at a time, or at a position. */
record ExportStart(Optional<Instant> time, Optional<FeedPosition> position) {

  static final ExportStart START = new ExportStart(Optional.empty(), Optional.empty());

  /** Reads a position or else a moment. */
  static final class Reader implements ITypeConverter<ExportStart> {
    @Override
    public ExportStart convert(String text) {
      Optional<FeedPosition> position = FeedPosition.read(text);
      return position.isPresent()
          ? new ExportStart(Optional.empty(), position)
          : new ExportStart(Optional.of(new Moment().convert(text)), Optional.empty());
    }
  }

  /** Reads a date, which stands for its start in UTC, or a date and time with its offset. */
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
