package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.StoredRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;

/** Times in rows of the log, which are read whatever they are. */
public final class LogTimestamps {

  /** SQL: the times that the schema lets in; a column's name has to be put in twice. */
  public static final String USUAL =
      "%1$s >= '1970-01-01 00:00+00' AND %1$s < '10000-01-01 00:00+00'";

  /** What stands for infinity, nothing, and all that the driver cannot read; nobody's true time. */
  static final Instant UNREADABLE = Instant.parse("+999999999-01-01T00:00:00Z");

  /** The first of the times that the schema lets in. */
  static final Instant FIRST = Instant.EPOCH;

  /** What all of them are before. */
  static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  // PostgreSQL's own times are within.
  private static final long MOST_SECONDS = 10_000_000_000_000L;

  private static final String WRONG_VALUE = "22";

  private LogTimestamps() {}

  public static boolean isUsual(Instant time) {
    return !time.isBefore(FIRST) && time.isBefore(END);
  }

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
