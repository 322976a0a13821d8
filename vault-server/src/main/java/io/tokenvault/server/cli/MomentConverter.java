package io.tokenvault.server.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a date, which means its start in UTC, or a date and time with an offset (ISO 8601). */
final class MomentConverter implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return text.indexOf('T') < 0
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException malformed) {
      throw new TypeConversionException(
          "must be a date such as 2025-01-31, or a time such as 2025-01-31T12:00:00Z");
    }
  }
}
