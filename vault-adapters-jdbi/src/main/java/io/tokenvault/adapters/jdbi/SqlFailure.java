package io.tokenvault.adapters.jdbi;

import java.sql.SQLException;

/**
 * What may be told of a driver's exception: its SQL state. The driver's own text can quote values,
 * so neither it nor the exception itself goes further than this package.
 */
final class SqlFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private SqlFailure(String text) {
    super(text);
  }

  static SqlFailure of(SQLException failure) {
    SqlFailure told = new SqlFailure("SQL state " + failure.getSQLState());
    told.setStackTrace(failure.getStackTrace());
    return told;
  }
}
