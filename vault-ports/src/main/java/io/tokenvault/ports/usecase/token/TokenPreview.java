package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.secret.SensitiveValue;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of a token that an invocation would receive.
 *
 * @param usable whether the invoker has {@code token:use} on it
 * @param deliverable whether the egress policy allows it at the destination
 * @param mask the mask of its data as JSON in UTF-8; empty if the token is not usable or has no
 *     mask
 */
public record TokenPreview(boolean usable, boolean deliverable, Optional<SensitiveValue> mask) {
  public TokenPreview {
    Objects.requireNonNull(mask, "mask");
  }

  /** Returns the flags without the mask, which shows some of the data. */
  @Override
  public String toString() {
    return "TokenPreview[usable=" + usable + ", deliverable=" + deliverable + "]";
  }
}
