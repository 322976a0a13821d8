package io.tokenvault.adapters.jdbi;

import java.sql.SQLException;

/**
 * What may be told of a driver's exception: its SQL state. The driver's own text can quote values,
 * so neither it nor the exception itself goes further than this package.
 */
final class SqlFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private static final String DEADLOCK = "40P01";

  private final boolean changedNothing;

  private SqlFailure(String state) {
    super("SQL state " + state);
    this.changedNothing =
        state.startsWith("22") || state.startsWith("23") || state.equals(DEADLOCK);
  }

  /** Whether the database refused the values in a statement, or who waited for each other. */
  boolean changedNothing() {
    return changedNothing;
  }

  static SqlFailure of(SQLException failure) {
    SqlFailure told = new SqlFailure(String.valueOf(failure.getSQLState()));
    told.setStackTrace(failure.getStackTrace());
    return told;
  }
}
