package io.tokenvault.domain.failure;

/**
 * The cause of a failed request, one constant for each cause that a client may want to handle
 * separately. {@link #urn()} is stable across releases; {@link #title()} is for people.
 */
public enum FailureCause {
  VALIDATION_FAILED(
      FailureCode.INVALID, "validation-failed", "One or more validation errors occurred."),
  MISSING_OR_INVALID_KEY(
      FailureCode.UNAUTHENTICATED, "unauthenticated", "A valid API key is required"),
  PERMISSION_DENIED(FailureCode.FORBIDDEN, "forbidden", "The API key does not permit this"),
  NOT_FOUND(FailureCode.NOT_FOUND, "not-found", "Not found"),
  TOKEN_ID_TAKEN(FailureCode.CONFLICT, "token-id-taken", "The token id is already in use"),
  APPLICATION_IN_USE(
      FailureCode.CONFLICT, "application-in-use", "The application is used by a proxy"),
  TOO_MANY_KEYS(
      FailureCode.CONFLICT, "too-many-keys", "Too many earlier keys of the application still work"),
  REQUEST_RUNNING(FailureCode.CONFLICT, "request-running", "The same request is in progress"),
  IDEMPOTENCY_KEY_USED(
      FailureCode.CONFLICT,
      "idempotency-key-used",
      "The idempotency key was used with another request"),
  ALREADY_DONE(
      FailureCode.CONFLICT,
      "already-done",
      "The request was completed; its response is not stored"),
  OUTCOME_UNKNOWN(FailureCode.CONFLICT, "outcome-unknown", "Request outcome unknown"),
  TENANT_SHREDDED(FailureCode.CONFLICT, "tenant-shredded", "The keys of the tenant were destroyed"),
  PRECONDITION_FAILED(
      FailureCode.PRECONDITION_FAILED,
      "precondition-failed",
      "The resource does not have the expected version"),
  BODY_TOO_LARGE(FailureCode.TOO_LARGE, "body-too-large", "The body is too large"),
  STORE_UNAVAILABLE(
      FailureCode.UNAVAILABLE, "unavailable", "The vault cannot serve this request now"),
  OVERLOADED(FailureCode.UNAVAILABLE, "overloaded", "The vault is overloaded"),
  RATE_LIMITED(FailureCode.LIMIT_EXCEEDED, "rate-limited", "Too many requests"),
  TOO_MANY_IN_PROGRESS(
      FailureCode.LIMIT_EXCEEDED, "too-many-in-progress", "Too many requests are in progress"),
  UNKNOWN_PROXY(FailureCode.NOT_FOUND, "unknown-proxy", "No such proxy"),
  DESTINATION_INVALID(FailureCode.INVALID, "destination-invalid", "Invalid destination"),
  TOO_MANY_TOKENS(FailureCode.INVALID, "too-many-tokens", "Too many tokens in one request"),
  UNKNOWN_TOKENS(FailureCode.INVALID, "unknown-tokens", "Tokens do not exist"),
  TOKENS_FORBIDDEN(FailureCode.FORBIDDEN, "tokens-forbidden", "Use of tokens denied"),
  TOKENS_BOUND(
      FailureCode.FORBIDDEN, "tokens-bound", "Tokens are restricted to other destinations"),
  URL_HEADER_OFF(FailureCode.FORBIDDEN, "url-header-off", "Destinations in requests are disabled"),
  /**
   * One cause for an unresolved name and for a private address, so that callers cannot probe for
   * private names.
   */
  DESTINATION_UNRESOLVED(
      FailureCode.UPSTREAM_FAILED,
      "dns-failed",
      "The destination's name does not resolve to a permitted address"),
  DESTINATION_UNREACHABLE(
      FailureCode.UPSTREAM_FAILED, "connect-failed", "The destination cannot be reached"),
  DESTINATION_UNTRUSTED(
      FailureCode.UPSTREAM_FAILED, "tls-failed", "No trusted TLS connection to the destination"),
  DESTINATION_BROKE_OFF(
      FailureCode.UPSTREAM_FAILED, "destination-broke-off", "The destination ended the exchange"),
  CONNECT_TIMEOUT(
      FailureCode.UPSTREAM_TIMEOUT,
      "connect-timeout",
      "The destination did not accept the connection in time"),
  ANSWER_TIMEOUT(
      FailureCode.UPSTREAM_TIMEOUT, "answer-timeout", "The destination did not respond in time"),
  TRANSFORM_FAILED(FailureCode.SCRIPT_FAILED, "transform-failed", "The transform failed"),
  TRANSFORM_LIMIT(FailureCode.SCRIPT_FAILED, "transform-limit", "The transform exceeded a limit"),
  ANSWER_ENCODED(
      FailureCode.UPSTREAM_FAILED,
      "answer-encoded",
      "The response transform cannot read the destination's response"),
  CALLER_GONE(FailureCode.INVALID, "caller-gone", "The caller disconnected");

  private static final String URN_PREFIX = "urn:tokenvault:problem:";

  private final FailureCode code;
  private final String name;
  private final String title;

  FailureCause(FailureCode code, String name, String title) {
    this.code = code;
    this.name = name;
    this.title = title;
  }

  public FailureCode code() {
    return code;
  }

  /** Returns the stable identifier, for example {@code urn:tokenvault:problem:not-found}. */
  public String urn() {
    return URN_PREFIX + name;
  }

  public String title() {
    return title;
  }
}
