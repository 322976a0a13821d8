package io.tokenvault.adapters.jdbi.sql;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.argument.Argument;

/**
 * Java values as the driver takes them. Arrays are of the element's own class: the driver sends
 * those of most in binary, and all others as text.
 */
public final class SqlValues {

  // Within what timestamptz can hold; later and earlier times stand for never and ever.
  private static final Instant EARLIEST = Instant.parse("-4000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("+200000-01-01T00:00:00Z");

  private SqlValues() {}

  public static Argument texts(Collection<String> values) {
    return array("text", values.toArray(String[]::new));
  }

  public static Argument uuids(Collection<UUID> values) {
    return array("uuid", values.toArray(UUID[]::new));
  }

  public static Argument numbers(Collection<? extends Number> values) {
    return array("bigint", values.stream().map(SqlValues::toLong).toArray(Long[]::new));
  }

  private static Long toLong(Number value) {
    return value == null ? null : value.longValue();
  }

  public static Argument integers(Collection<Integer> values) {
    return array("integer", values.toArray(Integer[]::new));
  }

  public static Argument bytes(Collection<byte[]> values) {
    return array("bytea", values.toArray(byte[][]::new));
  }

  public static Argument times(Collection<Instant> values) {
    return array(
        "timestamptz", values.stream().map(each -> each == null ? null : time(each)).toArray());
  }

  private static Argument array(String type, Object[] values) {
    return (position, statement, context) ->
        statement.setArray(position, statement.getConnection().createArrayOf(type, values));
  }

  public static OffsetDateTime time(Instant time) {
    return bounded(time).atOffset(ZoneOffset.UTC);
  }

  /** The first microsecond from a time on; where a stored time is compared, it is the same. */
  public static OffsetDateTime timeAtOrAfter(Instant time) {
    Instant bounded = bounded(time);
    Instant cut = bounded.truncatedTo(ChronoUnit.MICROS);
    return time(cut.equals(bounded) ? cut : cut.plus(1, ChronoUnit.MICROS));
  }

  private static Instant bounded(Instant time) {
    return time.isAfter(LATEST) ? LATEST : time.isBefore(EARLIEST) ? EARLIEST : time;
  }

  public static OffsetDateTime time(Optional<Instant> time) {
    return time.map(SqlValues::time).orElse(null);
  }
}
