package io.tokenvault.domain.failure;

/**
 * The categories of failure that an edge has to tell apart. A web edge maps each to one status; the
 * list is closed so that such a mapping can be an exhaustive switch.
 */
public enum FailureCode {
  /** The request is wrong and would be wrong again. */
  INVALID,
  /** No usable key came with the request. */
  UNAUTHENTICATED,
  /** The caller is known and may not do this. */
  FORBIDDEN,
  /** What was named does not exist for this caller; another tenant's things do not exist either. */
  NOT_FOUND,
  /** The request contradicts what is stored. */
  CONFLICT,
  /** What is stored has another version than the request expects. */
  PRECONDITION_FAILED,
  /** A body or value is larger than allowed. */
  TOO_LARGE,
  /** A script that a tenant configured failed. */
  SCRIPT_FAILED,
  /** A rate or quota is used up. */
  LIMIT_EXCEEDED,
  /** A destination could not be reached or may not be. */
  UPSTREAM_FAILED,
  /** A destination was too slow. */
  UPSTREAM_TIMEOUT,
  /** Something that the vault depends on is away; the same request may succeed later. */
  UNAVAILABLE
}
