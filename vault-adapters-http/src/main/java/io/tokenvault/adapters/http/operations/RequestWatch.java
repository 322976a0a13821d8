package io.tokenvault.adapters.http.operations;

import java.util.Optional;
import java.util.UUID;

/**
 * Is told of every request when it is over. All threads may share one. It is called on the thread
 * that ends the request, so it must not wait or throw.
 */
public interface RequestWatch {

  /** Tells nobody. */
  RequestWatch NONE = (request, status, nanos) -> {};

  /**
   * @param status of the answer, as HTTP defines it; 0 for one that is not registered, or if there
   *     was no answer
   * @param nanos from the request's head until the last byte of the answer was handed over
   */
  void answered(WatchedRequest request, int status, long nanos);

  /**
   * A request was refused because as many of the same application, or without an API key to the
   * same proxy, or of their tenant are in progress as there may be.
   *
   * @param applicationId empty for a request without an API key
   */
  default void overShare(Optional<UUID> applicationId) {}

  /**
   * A request as far as there are few of its kind: nothing in it comes from a caller as it is.
   *
   * @param admin whether it came to the admin listener
   * @param method {@code OTHER} for one that HTTP does not define
   * @param route the template of its path, such as <code>/tokens/{id}</code>; {@code none} if it
   *     did not get to a route
   */
  record WatchedRequest(boolean admin, String method, String route) {}
}
