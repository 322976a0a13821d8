package io.tokenvault.domain.failure;

/** The categories of failure. Each corresponds to one HTTP status. */
public enum FailureCode {
  /** The request is invalid and would be rejected again. */
  INVALID(400),
  /** The request has no valid API key. */
  UNAUTHENTICATED(401),
  /** The caller is authenticated but lacks the permission. */
  FORBIDDEN(403),
  /**
   * The resource does not exist for this caller; resources of other tenants do not exist either.
   */
  NOT_FOUND(404),
  /** The request conflicts with the state of a resource. */
  CONFLICT(409),
  /** The resource has another version than the request expects. */
  PRECONDITION_FAILED(412),
  /** A body or value exceeds its limit. */
  TOO_LARGE(413),
  /** A tenant's script failed. */
  SCRIPT_FAILED(500),
  /** A rate limit or quota is exceeded. */
  LIMIT_EXCEEDED(429),
  /** A destination could not be reached, or must not be. */
  UPSTREAM_FAILED(502),
  /** A destination exceeded a time limit. */
  UPSTREAM_TIMEOUT(504),
  /** A dependency of the vault is unavailable; the identical request may succeed later. */
  UNAVAILABLE(503);

  private final int status;

  FailureCode(int status) {
    this.status = status;
  }

  /** Returns the HTTP status that callers and transforms receive. */
  public int status() {
    return status;
  }
}
