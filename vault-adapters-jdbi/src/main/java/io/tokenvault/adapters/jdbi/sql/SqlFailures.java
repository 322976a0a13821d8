package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.failure.RefusedException;
import java.sql.SQLException;
import org.jdbi.v3.core.JdbiException;
import org.postgresql.util.PSQLException;

/** Turns what JDBI and the driver throw into failures of the domain, without their texts. */
public final class SqlFailures {

  static final String FOREIGN_KEY_VIOLATION = "23503";

  public static final String INSUFFICIENT_PRIVILEGE = "42501";

  private SqlFailures() {}

  /**
   * What to throw instead: {@code STORE_UNAVAILABLE} where the database is away, full, read-only,
   * stopping, too slow or does not let us, or its log takes no entries; {@code NOT_FOUND} where the
   * tenant is gone; an {@link IllegalStateException} where the fault is ours.
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
    return RefusedException.unavailable(withoutText(failure));
  }

  /** Wrong values (22), broken constraints (23), wrong statements or a wrong schema (42). */
  private static boolean isOurFault(String state) {
    return !state.equals(INSUFFICIENT_PRIVILEGE)
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("42"));
  }

  /**
   * Whether a statement certainly changed nothing because of what was in it, by what {@link
   * #translate} gave, so that parts of it may succeed.
   */
  public static boolean isDefinite(RuntimeException translated) {
    return translated.getCause() instanceof SqlFailure failure && failure.changedNothing;
  }

  /** A log that takes no entries is away for us, whatever constraint or trigger says so. */
  private static boolean isOfLog(SQLException failure) {
    PSQLException told = find(PSQLException.class, failure);
    return told != null
        && told.getServerErrorMessage() != null
        && String.valueOf(told.getServerErrorMessage().getTable()).startsWith(EntryRows.TABLE);
  }

  /** Returns a failure with the SQL state of another one, and without its text. */
  public static Exception withoutText(SQLException failure) {
    SqlFailure told = new SqlFailure(String.valueOf(failure.getSQLState()));
    told.setStackTrace(failure.getStackTrace());
    return told;
  }

  private static IllegalStateException withoutText(RuntimeException failure) {
    IllegalStateException told = new IllegalStateException(failure.getClass().getSimpleName());
    told.setStackTrace(failure.getStackTrace());
    return told;
  }

  /** The first of this class among a failure and its causes; null if there is none. */
  public static <T extends Throwable> T find(Class<T> wanted, Throwable failure) {
    Throwable each = failure;
    while (each != null && !wanted.isInstance(each)) {
      each = each.getCause();
    }
    return wanted.cast(each);
  }

  /**
   * What may be told of a driver's exception: its SQL state. The driver's own text can quote
   * values, so neither it nor the exception itself goes further than this package.
   */
  private static final class SqlFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private static final String DEADLOCK = "40P01";

    /** Whether the database refused the values in a statement, or who waited for each other. */
    private final boolean changedNothing;

    private SqlFailure(String state) {
      super("SQL state " + state);
      this.changedNothing =
          state.startsWith("22") || state.startsWith("23") || state.equals(DEADLOCK);
    }
  }
}
