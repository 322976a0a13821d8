package io.tokenvault.adapters.http.exchange;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits that protect a listener from slow, large or too many requests.
 *
 * @param maxBody the largest JSON body in bytes; the proxy has limits of its own
 * @param maxRequestHead the largest request line with headers, in bytes
 * @param idleTimeout how long a connection may be silent between and within requests, and how long
 *     the head of a request may take to arrive
 * @param stopTimeout how long a stop waits for requests in progress
 * @param maxRequests how many requests are processed concurrently; more are rejected
 * @param minBodyRate the average data rate, in bytes per second, that a caller has to reach while
 *     the server waits for it to send a body to the proxy or to receive a response, after the first
 *     10 seconds; 0 for no minimum
 * @param bodyGrace how long a JSON body may take to arrive, in addition to the time that its size
 *     takes at 10 KB/s
 */
public record HttpLimits(
    int maxBody,
    int maxRequestHead,
    Duration idleTimeout,
    Duration stopTimeout,
    int maxRequests,
    int minBodyRate,
    Duration bodyGrace) {

  /**
   * Bodies of 12 MiB, heads of 32 KiB, 512 concurrent requests, 240 bytes per second, timeouts of
   * 60 s (idle), 30 s (stop) and 30 s (body).
   */
  public static final HttpLimits DEFAULT =
      new HttpLimits(
          12 << 20,
          32 << 10,
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          512,
          240,
          Duration.ofSeconds(30));

  /**
   * Returns these limits with another number of concurrent requests and another minimum data rate.
   */
  public HttpLimits with(int maxRequestsAtOnce, int minBytesPerSecond) {
    return new HttpLimits(
        maxBody,
        maxRequestHead,
        idleTimeout,
        stopTimeout,
        maxRequestsAtOnce,
        minBytesPerSecond,
        bodyGrace);
  }

  public HttpLimits {
    if (maxRequests < 1 || minBodyRate < 0) {
      throw new IllegalArgumentException(
          "requests must be at least 1, and the data rate not negative");
    }
    Objects.requireNonNull(idleTimeout, "idleTimeout");
    Objects.requireNonNull(stopTimeout, "stopTimeout");
    Objects.requireNonNull(bodyGrace, "bodyGrace");
  }
}
