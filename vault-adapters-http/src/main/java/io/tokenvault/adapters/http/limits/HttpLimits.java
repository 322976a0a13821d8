package io.tokenvault.adapters.http.limits;

import java.time.Duration;
import java.util.Objects;

/**
 * Bounds that protect the server.
 *
 * @param maxBody of a JSON body, in bytes; the proxy has its own rules
 * @param maxRequestHead request line and headers, in bytes
 * @param idleTimeout how long a connection may be silent between and within requests, and a
 *     request's head may take in all
 * @param stopTimeout how long a stop waits for requests in flight
 * @param maxRequests how many requests are worked on at the same time; more are turned away
 * @param minBodyRate how many bytes a second a caller has to send or take on average, while it is
 *     waited for and after the first 10 seconds; 0 for any number
 * @param bodyGrace how long a JSON body may take to arrive, beyond what its size takes at 10 KB/s
 */
public record HttpLimits(
    int maxBody,
    int maxRequestHead,
    Duration idleTimeout,
    Duration stopTimeout,
    int maxRequests,
    int minBodyRate,
    Duration bodyGrace) {

  public static final HttpLimits DEFAULT =
      new HttpLimits(
          12 << 20,
          32 << 10,
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          512,
          240,
          Duration.ofSeconds(30));

  /** The same but for how much is worked on, and how slowly. */
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
      throw new IllegalArgumentException("at least one request at a time, at no negative rate");
    }
    Objects.requireNonNull(idleTimeout, "idleTimeout");
    Objects.requireNonNull(stopTimeout, "stopTimeout");
    Objects.requireNonNull(bodyGrace, "bodyGrace");
  }
}
