package io.tokenvault.ports.api;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of the service's own headers and query parameter, which share one prefix. For example,
 * the default prefix yields {@code SVC-API-KEY} and {@code SVC-TRACE-ID}.
 *
 * @param prefix two or more letters or digits followed by {@code -}; by default {@code SVC-}
 */
public record ServiceHeaders(String prefix) {

  // Declared before DEFAULT, whose constructor uses it.
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9]{2,}-");

  public static final ServiceHeaders DEFAULT = new ServiceHeaders("SVC-");

  public ServiceHeaders {
    if (!isValid(prefix)) {
      throw new IllegalArgumentException(
          "a header prefix is two or more letters or digits and -, and not X-");
    }
  }

  /** Returns whether the string is a valid header prefix. */
  public static boolean isValid(String prefix) {
    return SHAPE.matcher(prefix).matches();
  }

  /** Returns the request header for the caller's API key. */
  public String apiKey() {
    return prefix + "API-KEY";
  }

  /** Returns the request header for the key of a pre-configured proxy. */
  public String proxyKey() {
    return prefix + "PROXY-KEY";
  }

  /** Returns the request header for a destination that the caller names itself. */
  public String proxyUrl() {
    return prefix + "PROXY-URL";
  }

  public String detokenize() {
    return prefix + "PROXY-DETOKENIZE";
  }

  /** Returns the response header that reports the destination's status. */
  public String destinationStatus() {
    return prefix + "PROXY-DESTINATION-STATUS";
  }

  /**
   * Returns the header for the trace id of a request, which callers may send and every response
   * has.
   */
  public String traceId() {
    return prefix + "TRACE-ID";
  }

  /** Returns the request header by which a client marks a request as safe to retry. */
  public String idempotencyKey() {
    return prefix + "IDEMPOTENCY-KEY";
  }

  /** Returns the response header that marks a replayed response. */
  public String idempotencyRepeat() {
    return prefix + "IDEMPOTENCY-REPEAT";
  }

  /** Returns the query parameter that can replace the {@link #proxyKey()} header. */
  public String proxyKeyParameter() {
    return proxyKey().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a header has the service's prefix. Such headers, known or unknown, are never
   * forwarded by the proxy.
   */
  public boolean owns(String headerName) {
    return headerName.regionMatches(true, 0, prefix, 0, prefix.length());
  }
}
