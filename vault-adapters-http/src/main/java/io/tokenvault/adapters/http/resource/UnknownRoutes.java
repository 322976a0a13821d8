package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.adapters.http.response.RejectionCause;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.List;
import java.util.Map;

/** What the edge says about paths and methods that it does not know. */
public final class UnknownRoutes {

  private UnknownRoutes() {}

  public static RefusedException unknownPath() {
    return new RefusedException(FailureCause.NOT_FOUND, "There is nothing at this path.");
  }

  public static RejectedRequestException wrongMethod(List<String> allowed) {
    String list = String.join(", ", allowed);
    return new RejectedRequestException(
        RejectionCause.METHOD_NOT_ALLOWED, "This path takes " + list + ".", Map.of("Allow", list));
  }

  public static RejectedRequestException malformedTarget() {
    return new RejectedRequestException(
        RejectionCause.MALFORMED_REQUEST,
        "The URL must be ASCII or UTF-8, and cannot have a fragment.");
  }

  public static RejectedRequestException foreignName() {
    return new RejectedRequestException(
        RejectionCause.FOREIGN_NAME,
        "This listener answers on this machine only, under localhost or its address.");
  }

  public static RejectedRequestException malformedPath() {
    return new RejectedRequestException(
        RejectionCause.MALFORMED_REQUEST,
        "The URL's path must be percent-encoded, without . and .. and empty segments.");
  }
}
