package io.tokenvault.adapters.http.response;

import io.tokenvault.domain.failure.RateAllowance;
import java.util.List;
import java.util.Map;

/**
 * Headers that announce the state of a caller's rate limit: {@code RateLimit-Limit}, {@code
 * RateLimit-Remaining} and {@code RateLimit-Reset}, as clients read them.
 *
 * <p>Later drafts of the IETF put these values into structured fields whose syntax has changed with
 * most of them.
 */
public final class RateLimitHeaders {

  private static final String LIMIT = "RateLimit-Limit";
  private static final String REMAINING = "RateLimit-Remaining";
  private static final String RESET = "RateLimit-Reset";

  static final List<String> NAMES = List.of(LIMIT, REMAINING, RESET);

  private RateLimitHeaders() {}

  /** Returns the headers; the reset is in seconds from now. */
  public static Map<String, String> of(RateAllowance allowance) {
    return Map.of(
        LIMIT, Long.toString(allowance.limit()),
        REMAINING, Long.toString(allowance.remaining()),
        RESET, Long.toString(allowance.resetSeconds()));
  }
}
