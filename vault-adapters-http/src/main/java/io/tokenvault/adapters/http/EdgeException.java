package io.tokenvault.adapters.http;

import java.util.Map;

/** A request that the web edge refuses; its message is for the caller. */
final class EdgeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final EdgeFailure failure;
  private final transient Map<String, String> headers;

  EdgeException(EdgeFailure failure, String detail) {
    this(failure, detail, Map.of());
  }

  /**
   * @param headers that the answer needs
   */
  EdgeException(EdgeFailure failure, String detail, Map<String, String> headers) {
    super(detail);
    this.failure = failure;
    this.headers = Map.copyOf(headers);
  }

  EdgeFailure failure() {
    return failure;
  }

  Map<String, String> headers() {
    return headers;
  }
}
