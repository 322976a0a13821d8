package io.tokenvault.adapters.jdbi.sql;

/** Conditions on the rows of applications and tokens, whose time may have come. */
public final class ExpiryCondition {

  /** For reads, which see everything as of one moment. */
  public static final String UNEXPIRED = "(expires_at IS NULL OR expires_at > now())";

  /** For changes, which may have waited for a lock. */
  public static final String STILL_UNEXPIRED =
      "(expires_at IS NULL OR expires_at > clock_timestamp())";

  private ExpiryCondition() {}
}
