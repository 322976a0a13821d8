package io.tokenvault.domain.failure;

/** The categories of failure, each with the one HTTP status that stands for it. */
public enum FailureCode {
  /** The request is wrong and would be wrong again. */
  INVALID(400),
  /** No usable key came with the request. */
  UNAUTHENTICATED(401),
  /** The caller is known and may not do this. */
  FORBIDDEN(403),
  /** What was named does not exist for this caller; another tenant's things do not exist either. */
  NOT_FOUND(404),
  /** The request contradicts what is stored. */
  CONFLICT(409),
  /** What is stored has another version than the request expects. */
  PRECONDITION_FAILED(412),
  /** A body or value is larger than allowed. */
  TOO_LARGE(413),
  /** A script that a tenant configured failed. */
  SCRIPT_FAILED(500),
  /** A rate or quota is used up. */
  LIMIT_EXCEEDED(429),
  /** A destination could not be reached or may not be. */
  UPSTREAM_FAILED(502),
  /** A destination was too slow. */
  UPSTREAM_TIMEOUT(504),
  /** Something that the vault depends on is away; the same request may succeed later. */
  UNAVAILABLE(503);

  private final int status;

  FailureCode(int status) {
    this.status = status;
  }

  /** Returns the HTTP status by which callers, and transforms, are told of it. */
  public int status() {
    return status;
  }
}
