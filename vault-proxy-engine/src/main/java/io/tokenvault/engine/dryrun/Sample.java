package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.engine.transform.Transforms.HttpMessage;
import java.util.Optional;

/**
 * The sample on which a proxy or a transform runs.
 *
 * @param request as the caller would send it
 * @param response as the destination would return it; empty if none is simulated
 * @param application invoker of the proxy; empty for an anonymous invocation
 * @param configuration strings by name, for a file that belongs to no proxy
 * @param mocks responses to fetches and client calls
 */
public record Sample(
    Request request,
    Optional<Response> response,
    Optional<ApplicationId> application,
    JsonObject configuration,
    MockResponses mocks) {

  /** Returns the request's method only. */
  @Override
  public String toString() {
    return "Sample[" + request + "]";
  }

  /**
   * A request as a caller of the proxy would send it.
   *
   * @param method in upper case
   * @param path empty or starting with a slash
   * @param query without the question mark
   */
  public record Request(String method, String path, Optional<String> query, HttpMessage message) {

    /** Returns the method only: every other part can be secret. */
    @Override
    public String toString() {
      return "Request[" + method + "]";
    }
  }

  /**
   * A response as the destination would return it.
   *
   * @param status from 200 to 599
   */
  public record Response(int status, HttpMessage message) {}
}
