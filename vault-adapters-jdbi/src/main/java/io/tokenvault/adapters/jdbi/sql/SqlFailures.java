package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.failure.RefusedException;
import java.sql.SQLException;
import org.jdbi.v3.core.JdbiException;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates exceptions of JDBI and the driver to exceptions of the domain, without their text. */
public final class SqlFailures {

  private static final Logger LOG = LoggerFactory.getLogger(SqlFailures.class);

  /** SQL state of a row that refers to a missing one, such as a tenant that was deleted. */
  static final String FOREIGN_KEY_VIOLATION = "23503";

  /** SQL state of a statement that the role has no right to run. */
  public static final String INSUFFICIENT_PRIVILEGE = "42501";

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  static final String READ_ONLY = "25006";

  private SqlFailures() {}

  /**
   * Returns the exception to throw in place of another.
   *
   * @return {@code STORE_UNAVAILABLE} if the database is unreachable, full, read-only, stopping,
   *     too slow, refuses the role, or its audit log accepts no entries; {@code NOT_FOUND} if the
   *     tenant is gone; an {@link IllegalStateException} if the vault's own statement is wrong; any
   *     other exception unchanged
   */
  public static RuntimeException translate(RuntimeException failure) {
    SQLException sql = find(SQLException.class, failure);
    if (sql != null) {
      return translate(sql);
    }
    return failure instanceof JdbiException ? withoutText(failure) : failure;
  }

  private static RuntimeException translate(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    if (state.equals(FOREIGN_KEY_VIOLATION)) {
      return RefusedException.notFound();
    }
    if (isOurFault(state) && !isOfLog(failure)) {
      return new IllegalStateException("the database refused a statement", withoutText(failure));
    }
    if (needsOperator(state)) {
      LOG.warn("The database cannot serve requests: SQL state {}", state);
    }
    return RefusedException.unavailable(withoutText(failure));
  }

  /**
   * Returns whether a state reports missing resources, such as disk space (class 53), a failure of
   * the system (58), or a database that accepts no changes.
   */
  private static boolean needsOperator(String state) {
    return state.startsWith("53") || state.startsWith("58") || state.equals(READ_ONLY);
  }

  /**
   * Returns whether a state reports a wrong value (class 22), a broken constraint (23), or a wrong
   * statement or schema (42).
   */
  private static boolean isOurFault(String state) {
    return !state.equals(INSUFFICIENT_PRIVILEGE)
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("42"));
  }

  /**
   * Returns whether a statement certainly changed nothing because of the values in it, so that
   * parts of it may succeed.
   *
   * @param translated an exception that {@link #translate} returned
   */
  public static boolean isDefinite(RuntimeException translated) {
    return translated.getCause() instanceof SqlFailure failure && failure.changedNothing;
  }

  /** Returns whether a statement timed out waiting for a lock. */
  public static boolean isLockTimeout(RuntimeException failure) {
    SQLException sql = find(SQLException.class, failure);
    return sql != null && LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
  }

  /**
   * Returns whether the failure is one of the audit log's table. A log that accepts no entries
   * counts as unavailable, whatever constraint or trigger rejects them.
   */
  private static boolean isOfLog(SQLException failure) {
    PSQLException error = find(PSQLException.class, failure);
    return error != null
        && error.getServerErrorMessage() != null
        && String.valueOf(error.getServerErrorMessage().getTable()).startsWith(EntryRows.TABLE);
  }

  /**
   * Returns an exception with the SQL state and the stack trace of another, and without its text.
   */
  public static Exception withoutText(SQLException failure) {
    SqlFailure textless = new SqlFailure(String.valueOf(failure.getSQLState()));
    textless.setStackTrace(failure.getStackTrace());
    return textless;
  }

  /**
   * Returns an exception with the class name and the stack trace of another, and without its text.
   */
  private static IllegalStateException withoutText(RuntimeException failure) {
    IllegalStateException error = new IllegalStateException(failure.getClass().getSimpleName());
    error.setStackTrace(failure.getStackTrace());
    return error;
  }

  /**
   * Returns the first exception of a class among a failure and its causes, or null if there is
   * none.
   */
  public static <T extends Throwable> T find(Class<T> wanted, Throwable failure) {
    Throwable each = failure;
    while (each != null && !wanted.isInstance(each)) {
      each = each.getCause();
    }
    return wanted.cast(each);
  }

  /**
   * The part of a driver's exception that may be reported: its SQL state. The driver's text can
   * quote values, so neither the text nor the exception itself leaves this package.
   */
  private static final class SqlFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private static final String DEADLOCK = "40P01";

    /**
     * Whether the server rejected the values of the statement or ended it because of a deadlock.
     */
    private final boolean changedNothing;

    private SqlFailure(String state) {
      super("SQL state " + state);
      this.changedNothing =
          state.startsWith("22") || state.startsWith("23") || state.equals(DEADLOCK);
    }
  }
}
