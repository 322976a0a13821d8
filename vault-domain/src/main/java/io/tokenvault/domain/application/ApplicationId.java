package io.tokenvault.domain.application;

import java.util.Objects;
import java.util.UUID;

/** Identifies an application within its tenant. */
public record ApplicationId(UUID value) {
  public ApplicationId {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
