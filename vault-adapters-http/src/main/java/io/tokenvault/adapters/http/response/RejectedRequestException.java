package io.tokenvault.adapters.http.response;

import java.util.List;
import java.util.Map;

/**
 * Thrown when the HTTP layer rejects a request before a use case is called. The message is sent to
 * the caller.
 */
public final class RejectedRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Cause rejection;
  private final transient Map<String, String> headers;

  /**
   * Creates a rejection without additional headers.
   *
   * @param detail states for the caller why the request was rejected
   */
  public RejectedRequestException(Cause rejection, String detail) {
    this(rejection, detail, Map.of());
  }

  /**
   * Creates a rejection.
   *
   * @param detail states for the caller why the request was rejected
   * @param headers the headers that the response needs, such as {@code Allow}
   */
  public RejectedRequestException(Cause rejection, String detail, Map<String, String> headers) {
    super(detail);
    this.rejection = rejection;
    this.headers = Map.copyOf(headers);
  }

  /**
   * Returns the rejection of a method that the path does not support, with status 405.
   *
   * @param allowed the supported methods, which become the {@code Allow} header
   */
  public static RejectedRequestException wrongMethod(List<String> allowed) {
    String list = String.join(", ", allowed);
    return new RejectedRequestException(
        Cause.METHOD_NOT_ALLOWED, "This path takes " + list + ".", Map.of("Allow", list));
  }

  Cause rejection() {
    return rejection;
  }

  Map<String, String> headers() {
    return headers;
  }

  /**
   * The causes for which the HTTP layer rejects requests before a use case is called, each with its
   * status and its problem type.
   */
  public enum Cause {
    MALFORMED_REQUEST(400, "malformed-request", "The request is not well-formed HTTP"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "The path does not support this method"),
    REQUEST_TIMEOUT(408, "request-timeout", "The request did not arrive in time"),
    URI_TOO_LONG(414, "uri-too-long", "The URL is too long"),
    WRONG_CONTENT_TYPE(415, "unsupported-media-type", "The body has the wrong content type"),
    EXPECTATION_FAILED(417, "expectation-failed", "The expectation is not supported"),
    FOREIGN_NAME(421, "foreign-name", "Unknown host name"),
    UPGRADE_REQUIRED(426, "upgrade-required", "The protocol is not supported"),
    HEADERS_TOO_LARGE(431, "headers-too-large", "The headers are too large"),
    INTERNAL(500, "internal", "Internal error"),
    NOT_IMPLEMENTED(501, "not-implemented", "Not implemented"),
    STOPPING(503, "stopping", "The vault is stopping"),
    HTTP_VERSION(505, "http-version-not-supported", "The HTTP version is not supported");

    private static final String URN_PREFIX = "urn:tokenvault:problem:";

    private final int status;
    private final String name;
    private final String title;

    Cause(int status, String name, String title) {
      this.status = status;
      this.name = name;
      this.title = title;
    }

    /**
     * Returns the cause for a status with which Jetty rejected a request. Other statuses map to
     * {@code INTERNAL} from 500 on and to {@code MALFORMED_REQUEST} below.
     */
    public static Cause ofStatus(int status) {
      for (Cause cause : values()) {
        if (cause.status == status) {
          return cause;
        }
      }
      return status >= 500 ? INTERNAL : MALFORMED_REQUEST;
    }

    public int status() {
      return status;
    }

    /** Returns the problem type (RFC 7807) as a URN. It is part of the public interface. */
    public String urn() {
      return URN_PREFIX + name;
    }

    /** Returns the short description of the cause, which is identical for all occurrences. */
    public String title() {
      return title;
    }
  }
}
