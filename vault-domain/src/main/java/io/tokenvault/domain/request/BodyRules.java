package io.tokenvault.domain.request;

/** Determines which HTTP messages have a body (RFC 9110, sections 9.3 and 15). */
public final class BodyRules {

  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private BodyRules() {}

  /** Returns whether requests with this method are forwarded only without a body. */
  public static boolean isBodyless(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** Returns whether responses with this status never have a body. */
  public static boolean isBodyless(int status) {
    return status == NO_CONTENT || status == NOT_MODIFIED;
  }

  /** Returns whether a response with this status to a request with this method has a body. */
  public static boolean hasBody(String method, int status) {
    return !method.equals("HEAD") && !isBodyless(status);
  }
}
