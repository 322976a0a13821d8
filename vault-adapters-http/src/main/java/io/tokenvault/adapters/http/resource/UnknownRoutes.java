package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectionCause;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.List;
import java.util.Map;

/** Creates the rejections of unknown paths, unsupported methods and malformed URLs. */
public final class UnknownRoutes {

  private UnknownRoutes() {}

  /** Returns the rejection of a path that no route matches, with status 404. */
  public static RefusedException unknownPath() {
    return new RefusedException(FailureCause.NOT_FOUND, "There is nothing at this path.");
  }

  /**
   * Returns the rejection of a method that the path does not support, with status 405.
   *
   * @param allowed the supported methods, which become the {@code Allow} header
   */
  public static RejectedRequestException wrongMethod(List<String> allowed) {
    String list = String.join(", ", allowed);
    return new RejectedRequestException(
        RejectionCause.METHOD_NOT_ALLOWED, "This path takes " + list + ".", Map.of("Allow", list));
  }

  /** Returns the rejection of a proxy URL that cannot be forwarded unchanged, with status 400. */
  public static RejectedRequestException malformedTarget() {
    return new RejectedRequestException(
        RejectionCause.MALFORMED_REQUEST,
        "The URL must be ASCII or UTF-8, and cannot have a fragment.");
  }

  /** Returns the rejection of a foreign host name on a local listener, with status 421. */
  public static RejectedRequestException foreignName() {
    return new RejectedRequestException(
        RejectionCause.FOREIGN_NAME,
        "This listener answers on this machine only, under localhost or its address.");
  }

  /** Returns the rejection of a path that could be interpreted in two ways, with status 400. */
  public static RejectedRequestException malformedPath() {
    return new RejectedRequestException(
        RejectionCause.MALFORMED_REQUEST,
        "The URL's path must be percent-encoded, without . and .. and empty segments.");
  }
}
