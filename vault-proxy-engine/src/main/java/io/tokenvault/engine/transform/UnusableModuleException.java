package io.tokenvault.engine.transform;

import java.util.Optional;

/**
 * Failure of a {@code require} call at compile or load time.
 *
 * <p>The module does not exist or cannot be used. The message gives the reason and may be shown to
 * the tenant.
 */
final class UnusableModuleException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnusableModuleException(String message) {
    super(message);
  }

  /**
   * Returns the failure for a name that cannot be resolved.
   *
   * @param from the id of the requiring module; empty for the transform itself
   */
  static UnusableModuleException unknown(Optional<String> from, String name) {
    return new UnusableModuleException(
        from.map(id -> "the module " + id + " requires '" + name + "', which is not there")
            .orElse("there is no module '" + name + "'"));
  }
}
