package io.tokenvault.adapters.jdbi.sql;

/** SQL conditions that exclude expired rows of applications and tokens. */
public final class ExpiryCondition {

  /**
   * For reads: compares with the start of the transaction, so that all parts of a statement agree.
   */
  public static final String UNEXPIRED = "(expires_at IS NULL OR expires_at > now())";

  /**
   * For changes: compares with the current time, since the statement may have waited for a lock.
   */
  public static final String STILL_UNEXPIRED =
      "(expires_at IS NULL OR expires_at > clock_timestamp())";

  private ExpiryCondition() {}
}
