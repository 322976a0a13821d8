package io.tokenvault.ports.api;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of the service's own headers and query parameter, which all begin with one prefix.
 *
 * @param prefix two or more letters or digits and {@code -}, not {@code X-}; by default {@code
 *     SVC-}
 */
public record ServiceHeaders(String prefix) {

  // Before the default, which is checked against it.
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9]{2,}-");

  public static final ServiceHeaders DEFAULT = new ServiceHeaders("SVC-");

  public ServiceHeaders {
    if (!isValid(prefix)) {
      throw new IllegalArgumentException(
          "a header prefix is two or more letters or digits and -, and not X-");
    }
  }

  public static boolean isValid(String prefix) {
    return SHAPE.matcher(prefix).matches();
  }

  public String apiKey() {
    return prefix + "API-KEY";
  }

  public String proxyKey() {
    return prefix + "PROXY-KEY";
  }

  public String proxyUrl() {
    return prefix + "PROXY-URL";
  }

  public String detokenize() {
    return prefix + "PROXY-DETOKENIZE";
  }

  public String destinationStatus() {
    return prefix + "PROXY-DESTINATION-STATUS";
  }

  public String traceId() {
    return prefix + "TRACE-ID";
  }

  /** With which a client that sends a request again says that it is the same one. */
  public String idempotencyKey() {
    return prefix + "IDEMPOTENCY-KEY";
  }

  /** On an answer that is not the first one to its request. */
  public String idempotencyRepeat() {
    return prefix + "IDEMPOTENCY-REPEAT";
  }

  /** The query parameter that may stand for {@link #proxyKey()}. */
  public String proxyKeyParameter() {
    return proxyKey().toLowerCase(Locale.ROOT);
  }

  /** Whether a header is one of the service's, known or not; such never pass through the proxy. */
  public boolean owns(String headerName) {
    return headerName.regionMatches(true, 0, prefix, 0, prefix.length());
  }
}
