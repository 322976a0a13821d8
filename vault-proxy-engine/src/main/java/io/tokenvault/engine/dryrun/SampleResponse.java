package io.tokenvault.engine.dryrun;

import java.util.Objects;

/**
 * A response as the destination would return it.
 *
 * @param status from 200 to 599
 */
public record SampleResponse(int status, SampleMessage message) {
  public SampleResponse {
    Objects.requireNonNull(message, "message");
  }
}
