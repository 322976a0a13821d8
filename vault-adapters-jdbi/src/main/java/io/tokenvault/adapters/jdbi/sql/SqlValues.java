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
 * Converts Java values to arguments that the driver accepts.
 *
 * <p>Arrays have the element's own class, since the driver sends those of most classes in binary
 * and all others, except {@link BinaryUuidArray}, as text.
 */
public final class SqlValues {

  // Limits within the range of timestamptz; times beyond them stand for "never" and "always".
  private static final Instant EARLIEST = Instant.parse("-4000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("+200000-01-01T00:00:00Z");

  private SqlValues() {}

  /** Returns an array of {@code text}. Like all arrays here, it may contain nulls. */
  public static Argument texts(Collection<String> values) {
    return texts(values.toArray(String[]::new));
  }

  static Argument texts(String[] values) {
    return array("text", values);
  }

  /** Returns an array of {@code uuid}. */
  public static Argument uuids(Collection<UUID> values) {
    return uuids(values.toArray(UUID[]::new));
  }

  static Argument uuids(UUID[] values) {
    return (position, statement, context) -> {
      if (BinaryUuidArray.enable(statement.getConnection())) {
        statement.setObject(position, new BinaryUuidArray(values));
      } else {
        array("uuid", values).apply(position, statement, context);
      }
    };
  }

  /** Returns an array of {@code bigint}. */
  public static Argument numbers(Collection<? extends Number> values) {
    return array("bigint", values.stream().map(SqlValues::toLong).toArray(Long[]::new));
  }

  private static Long toLong(Number value) {
    return value == null ? null : value.longValue();
  }

  /** Returns an array of {@code integer}. */
  public static Argument integers(Collection<Integer> values) {
    return integers(values.toArray(Integer[]::new));
  }

  static Argument integers(Integer[] values) {
    return array("integer", values);
  }

  /** Returns an array of {@code bytea}. */
  public static Argument bytes(Collection<byte[]> values) {
    return bytes(values.toArray(byte[][]::new));
  }

  static Argument bytes(byte[][] values) {
    return array("bytea", values);
  }

  /** Returns an array of {@code timestamptz}; times are bounded as by {@link #time(Instant)}. */
  public static Argument times(Collection<Instant> values) {
    return array(
        "timestamptz", values.stream().map(each -> each == null ? null : time(each)).toArray());
  }

  /** Creates the array on the connection of the statement that binds it. */
  private static Argument array(String type, Object[] values) {
    return (position, statement, context) ->
        statement.setArray(position, statement.getConnection().createArrayOf(type, values));
  }

  /** Returns a time for {@code timestamptz}, moved into the range that PostgreSQL can store. */
  public static OffsetDateTime time(Instant time) {
    return bounded(time).atOffset(ZoneOffset.UTC);
  }

  /**
   * Returns the first whole microsecond at or after a time. Comparing it to stored times, which
   * have microseconds, gives the same result as comparing the time itself.
   */
  public static OffsetDateTime timeAtOrAfter(Instant time) {
    Instant bounded = bounded(time);
    Instant cut = bounded.truncatedTo(ChronoUnit.MICROS);
    return time(cut.equals(bounded) ? cut : cut.plus(1, ChronoUnit.MICROS));
  }

  /** Moves a time into the range that PostgreSQL can store. */
  private static Instant bounded(Instant time) {
    return time.isAfter(LATEST) ? LATEST : time.isBefore(EARLIEST) ? EARLIEST : time;
  }

  /** Returns a time for {@code timestamptz}, or null if it is absent. */
  public static OffsetDateTime time(Optional<Instant> time) {
    return time.map(SqlValues::time).orElse(null);
  }
}
