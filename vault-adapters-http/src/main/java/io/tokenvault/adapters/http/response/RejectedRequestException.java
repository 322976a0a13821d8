package io.tokenvault.adapters.http.response;

import java.util.Map;

/** A request that the web edge refuses; its message is for the caller. */
public final class RejectedRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final RejectionCause failure;
  private final transient Map<String, String> headers;

  public RejectedRequestException(RejectionCause failure, String detail) {
    this(failure, detail, Map.of());
  }

  /**
   * @param headers that the answer needs
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
