package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.Objects;
import java.util.Optional;

/**
 * What a proxy or a transform is tried out on.
 *
 * @param application who would invoke the proxy; empty: nobody
 * @param configuration strings by name, of a file that belongs to no proxy
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

  /** The request's method only. */
  @Override
  public String toString() {
    return "Sample[" + request + "]";
  }
}
