package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.secret.SensitiveValue;
import java.util.Objects;
import java.util.Optional;

/**
 * What an invocation would have of a token.
 *
 * @param usable whether the invoker has {@code token:use} on it
 * @param deliverable whether the operator lets it go to the destination
 * @param mask what stands for its data, JSON in UTF-8; empty if it is not usable or has no mask
 */
public record TokenPreview(boolean usable, boolean deliverable, Optional<SensitiveValue> mask) {
  public TokenPreview {
    Objects.requireNonNull(mask, "mask");
  }

  /** Without the mask, which shows some of the data. */
  @Override
  public String toString() {
    return "TokenPreview[usable=" + usable + ", deliverable=" + deliverable + "]";
  }
}
