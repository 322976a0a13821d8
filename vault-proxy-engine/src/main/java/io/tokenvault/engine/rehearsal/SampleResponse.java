package io.tokenvault.engine.rehearsal;

import java.util.Objects;

/** An answer as the destination would give it. */
public record SampleResponse(int status, SampleMessage message) {
  public SampleResponse {
    Objects.requireNonNull(message, "message");
  }
}
