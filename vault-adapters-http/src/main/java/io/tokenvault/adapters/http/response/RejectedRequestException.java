package io.tokenvault.adapters.http.response;

import java.util.Map;

/**
 * Thrown when the HTTP layer rejects a request before a use case is called. The message is sent to
 * the caller.
 */
public final class RejectedRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final RejectionCause failure;
  private final transient Map<String, String> headers;

  /**
   * Creates a rejection without headers of its own.
   *
   * @param detail states for the caller why the request was rejected
   */
  public RejectedRequestException(RejectionCause failure, String detail) {
    this(failure, detail, Map.of());
  }

  /**
   * Creates a rejection.
   *
   * @param detail states for the caller why the request was rejected
   * @param headers the headers that the response needs, such as {@code Allow}
   */
  public RejectedRequestException(
      RejectionCause failure, String detail, Map<String, String> headers) {
    super(detail);
    this.failure = failure;
    this.headers = Map.copyOf(headers);
  }

  RejectionCause failure() {
    return failure;
  }

  Map<String, String> headers() {
    return headers;
  }
}
