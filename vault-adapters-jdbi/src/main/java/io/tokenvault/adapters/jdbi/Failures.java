package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.failure.RefusedException;
import java.sql.SQLException;
import org.jdbi.v3.core.JdbiException;
import org.postgresql.util.PSQLException;

/** Turns what JDBI and the driver throw into failures of the domain, without their texts. */
final class Failures {

  static final String FOREIGN_KEY_VIOLATION = "23503";

  static final String INSUFFICIENT_PRIVILEGE = "42501";

  private Failures() {}

  /**
   * What to throw instead: {@code STORE_UNAVAILABLE} where the database is away, full, read-only,
   * stopping, too slow or does not let us, or its log takes no entries; {@code NOT_FOUND} where the
   * tenant is gone; an {@link IllegalStateException} where the fault is ours.
   */
  static RuntimeException translate(RuntimeException failure) {
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
      return new IllegalStateException("the database refused a statement", SqlFailure.of(failure));
    }
    return RefusedException.unavailable(SqlFailure.of(failure));
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
  static boolean isDefinite(RuntimeException translated) {
    return translated.getCause() instanceof SqlFailure failure && failure.changedNothing();
  }

  /** A log that takes no entries is away for us, whatever constraint or trigger says so. */
  private static boolean isOfLog(SQLException failure) {
    PSQLException told = find(PSQLException.class, failure);
    return told != null
        && told.getServerErrorMessage() != null
        && String.valueOf(told.getServerErrorMessage().getTable()).startsWith(Entries.TABLE);
  }

  private static IllegalStateException withoutText(RuntimeException failure) {
    IllegalStateException told = new IllegalStateException(failure.getClass().getSimpleName());
    told.setStackTrace(failure.getStackTrace());
    return told;
  }

  /** The first of this class among a failure and its causes; null if there is none. */
  static <T extends Throwable> T find(Class<T> wanted, Throwable failure) {
    Throwable each = failure;
    while (each != null && !wanted.isInstance(each)) {
      each = each.getCause();
    }
    return wanted.cast(each);
  }
}
