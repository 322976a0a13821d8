package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.StoredRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Timestamps in rows of the audit log. Rows are read whatever they contain, so a timestamp outside
 * the permitted range must neither fail nor be mistaken for another.
 */
public final class LogTimestamps {

  /**
   * SQL condition: a timestamp is in the range that the schema permits. Format it with a column's
   * name.
   */
  public static final String USUAL =
      "%1$s >= '1970-01-01 00:00+00' AND %1$s < '10000-01-01 00:00+00'";

  /**
   * Stands for infinity, NULL and all timestamps that the driver cannot read. No entry has this
   * time.
   */
  static final Instant UNREADABLE = Instant.parse("+999999999-01-01T00:00:00Z");

  /** The first permitted time. */
  static final Instant FIRST = Instant.EPOCH;

  /** The end of the permitted times, exclusive. */
  static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  // Beyond all finite timestamps of PostgreSQL.
  private static final long MOST_SECONDS = 10_000_000_000_000L;

  /** Class of the SQL states for wrong values. */
  private static final String WRONG_VALUE = "22";

  private LogTimestamps() {}

  /** Returns whether the schema permits a time. */
  public static boolean isUsual(Instant time) {
    return !time.isBefore(FIRST) && time.isBefore(END);
  }

  /** Reads a timestamp; {@link #UNREADABLE} if it is NULL, infinite or out of range. */
  public static Instant read(ResultSet row, String column) throws SQLException {
    try {
      Instant time = StoredRow.time(row, column);
      return time == null || Math.abs(time.getEpochSecond()) > MOST_SECONDS ? UNREADABLE : time;
    } catch (DateTimeException beyond) {
      return UNREADABLE;
    } catch (SQLException failure) {
      if (String.valueOf(failure.getSQLState()).startsWith(WRONG_VALUE)) {
        return UNREADABLE;
      }
      throw failure;
    }
  }
}
