package io.tokenvault.engine.dryrun;

import java.util.Objects;
import java.util.Optional;

/**
 * A request as a caller of the proxy would send it.
 *
 * @param method in upper case
 * @param path empty or starting with a slash
 * @param query without the question mark
 */
public record SampleRequest(
    String method, String path, Optional<String> query, SampleMessage message) {

  public SampleRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(message, "message");
  }

  /** Returns the method only: every other part can be secret. */
  @Override
  public String toString() {
    return "SampleRequest[" + method + "]";
  }
}
