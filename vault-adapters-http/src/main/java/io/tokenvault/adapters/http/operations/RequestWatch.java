package io.tokenvault.adapters.http.operations;

import java.util.Optional;
import java.util.UUID;

/**
 * Observes requests, for metrics. An instance may be shared by all threads. Its methods run on the
 * thread that ends or rejects the request, so they must neither block nor throw.
 */
public interface RequestWatch {

  /** Ignores all events. */
  RequestWatch NONE = (request, status, nanos) -> {};

  /**
   * Records that a request has ended.
   *
   * @param request the method and route of the request
   * @param status the HTTP status of the response; 0 for a status that is not registered, or if
   *     there was no response
   * @param nanos the time from the head of the request until the last byte of the response was
   *     handed over, in nanoseconds
   */
  void answered(WatchedRequest request, int status, long nanos);

  /**
   * Records that a request was rejected because its share of the concurrent requests was used up:
   * that of its application, of its proxy if it had no API key, or of its tenant.
   *
   * @param applicationId the application that sent the request; empty for a request without an API
   *     key
   */
  default void overShare(Optional<UUID> applicationId) {}

  /**
   * The properties of a request that are safe to use as metric labels: each has few possible
   * values, and none is copied from the caller's input.
   *
   * @param admin whether the admin listener received the request
   * @param method the HTTP method; {@code OTHER} for one that HTTP does not define
   * @param route the template of the path, such as <code>/tokens/{id}</code>; {@code none} if no
   *     route matched
   */
  record WatchedRequest(boolean admin, String method, String route) {}
}
