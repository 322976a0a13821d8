package io.tokenvault.adapters.jdbi.sql;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
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
    return texts(values, Function.identity());
  }

  /** Returns an array of {@code text} with one value of each row. */
  public static <T> Argument texts(Collection<T> rows, Function<T, String> column) {
    return array("text", values(rows, column, String[]::new));
  }

  /** Returns an array of {@code uuid}. */
  public static Argument uuids(Collection<UUID> values) {
    return uuids(values, Function.identity());
  }

  /** Returns an array of {@code uuid} with one value of each row. */
  public static <T> Argument uuids(Collection<T> rows, Function<T, UUID> column) {
    UUID[] values = values(rows, column, UUID[]::new);
    return (position, statement, context) -> {
      if (BinaryUuidArray.enable(statement.getConnection())) {
        statement.setObject(position, new BinaryUuidArray(values));
      } else {
        array("uuid", values).apply(position, statement, context);
      }
    };
  }

  /** Returns an array of {@code bigint} with one value of each row. */
  public static <T> Argument numbers(Collection<T> rows, Function<T, Long> column) {
    return array("bigint", values(rows, column, Long[]::new));
  }

  /** Returns an array of {@code integer}. */
  public static Argument integers(Collection<Integer> values) {
    return integers(values, Function.identity());
  }

  /** Returns an array of {@code integer} with one value of each row. */
  public static <T> Argument integers(Collection<T> rows, Function<T, Integer> column) {
    return array("integer", values(rows, column, Integer[]::new));
  }

  /** Returns an array of {@code bytea} with one value of each row. */
  public static <T> Argument bytes(Collection<T> rows, Function<T, byte[]> column) {
    return array("bytea", values(rows, column, byte[][]::new));
  }

  /**
   * Returns an array of {@code timestamptz} with one time of each row, bounded as by {@link
   * #time(Instant)}.
   */
  public static <T> Argument times(Collection<T> rows, Function<T, Instant> column) {
    return array(
        "timestamptz",
        values(rows, column.andThen(each -> each == null ? null : time(each)), Object[]::new));
  }

  private static <T, V> V[] values(
      Collection<T> rows, Function<T, ? extends V> column, IntFunction<V[]> array) {
    V[] values = array.apply(rows.size());
    int row = 0;
    for (T each : rows) {
      values[row++] = column.apply(each);
    }
    return values;
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
