package io.tokenvault.adapters.jdbi;

/** Conditions on the rows of applications and tokens, whose time may have come. */
final class Expiry {

  /** For reads, which see everything as of one moment. */
  static final String UNEXPIRED = "(expires_at IS NULL OR expires_at > now())";

  /** For changes, which may have waited for a lock. */
  static final String STILL_UNEXPIRED = "(expires_at IS NULL OR expires_at > clock_timestamp())";

  private Expiry() {}
}
