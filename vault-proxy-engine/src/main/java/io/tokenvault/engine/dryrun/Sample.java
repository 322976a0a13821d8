package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.Objects;
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
    SampleRequest request,
    Optional<SampleResponse> response,
    Optional<ApplicationId> application,
    JsonObject configuration,
    MockResponses mocks) {

  public Sample {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(response, "response");
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(configuration, "configuration");
    Objects.requireNonNull(mocks, "mocks");
  }

  /** Returns the request's method only. */
  @Override
  public String toString() {
    return "Sample[" + request + "]";
  }
}
