package io.tokenvault.adapters.jdbi;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Ends connections to a server that takes no writes: after a failover it may have become the
 * standby, and a new connection finds the primary.
 */
final class ReadOnlyEviction implements SQLExceptionOverride {

  private static final String READ_ONLY_TRANSACTION = "25006";

  @java.lang.Override
  public SQLExceptionOverride.Override adjudicate(SQLException failure) {
    return READ_ONLY_TRANSACTION.equals(failure.getSQLState())
        ? SQLExceptionOverride.Override.MUST_EVICT
        : SQLExceptionOverride.Override.CONTINUE_EVICT;
  }
}
