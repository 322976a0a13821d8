package io.tokenvault.ports.store.model;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.runtime.TransformRuntime;
import java.util.Objects;

/**
 * A transform as it is stored.
 *
 * @param content the encrypted code and its compiled form
 * @param compiler the compiler that produced the compiled form, see {@link
 *     TransformRuntime#compiler()}
 */
public record EncryptedTransform(EncryptedValue content, String compiler) {
  public EncryptedTransform {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(compiler, "compiler");
  }
}
