package io.tokenvault.ports.spi;

import java.util.Objects;

/**
 * A transform as it is stored.
 *
 * @param content its code and what was compiled from it
 * @param compiler what compiled it, see {@link TransformRuntime#compiler()}
 */
public record SealedTransform(Sealed content, String compiler) {
  public SealedTransform {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(compiler, "compiler");
  }
}
