package io.tokenvault.ports.usecase.application;

import io.tokenvault.domain.application.Application;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * An application as it is shown to a caller.
 *
 * @param lastUsedAt the minute of its last recorded use; empty if none was recorded
 */
public record ApplicationView(Application application, Optional<Instant> lastUsedAt) {
  public ApplicationView {
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(lastUsedAt, "lastUsedAt");
  }
}
