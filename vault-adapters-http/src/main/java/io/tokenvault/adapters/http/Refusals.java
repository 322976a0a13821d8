package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.List;
import java.util.Map;

/** What the edge says about paths and methods that it does not know. */
final class Refusals {

  private Refusals() {}

  static RefusedException unknownPath() {
    return new RefusedException(FailureCause.NOT_FOUND, "There is nothing at this path.");
  }

  static EdgeException wrongMethod(List<String> allowed) {
    String list = String.join(", ", allowed);
    return new EdgeException(
        EdgeFailure.METHOD_NOT_ALLOWED, "This path takes " + list + ".", Map.of("Allow", list));
  }

  static EdgeException malformedTarget() {
    return new EdgeException(
        EdgeFailure.MALFORMED_REQUEST,
        "The URL must be ASCII or UTF-8, and cannot have a fragment.");
  }

  static EdgeException foreignName() {
    return new EdgeException(
        EdgeFailure.FOREIGN_NAME,
        "This listener answers on this machine only, under localhost or its address.");
  }

  static EdgeException malformedPath() {
    return new EdgeException(
        EdgeFailure.MALFORMED_REQUEST,
        "The URL's path must be percent-encoded, without . and .. and empty segments.");
  }
}
