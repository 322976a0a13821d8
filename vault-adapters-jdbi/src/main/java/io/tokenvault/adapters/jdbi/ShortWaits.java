package io.tokenvault.adapters.jdbi;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Lets a migration wait for a lock only as long as requests may wait behind it: who asks for a lock
 * after it stands in line, even if the lock is free for them.
 */
final class ShortWaits extends BaseCallback {

  /** The SQL state of what fails for want of a lock. */
  static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final String STATEMENT = "SET lock_timeout = '1s'";

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.AFTER_CONNECT;
  }

  @Override
  public void handle(Event event, Context context) {
    try (Statement statement = context.getConnection().createStatement()) {
      statement.execute(STATEMENT);
    } catch (SQLException failure) {
      throw new IllegalStateException("no limit could be set", SqlFailure.of(failure));
    }
  }
}
