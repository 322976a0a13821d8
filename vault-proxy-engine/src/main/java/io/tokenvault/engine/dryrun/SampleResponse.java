package io.tokenvault.engine.dryrun;

import java.util.Objects;

/** An answer as the destination would give it. */
public record SampleResponse(int status, SampleMessage message) {
  public SampleResponse {
    Objects.requireNonNull(message, "message");
  }
}
