package io.tokenvault.engine.transform;

import java.util.Optional;

/** A module that a transform requires does not exist or cannot be used; the message says why. */
final class UnusableModuleException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnusableModuleException(String message) {
    super(message);
  }

  /**
   * @param from the module that names it; empty for the transform itself
   */
  static UnusableModuleException unknown(Optional<String> from, String name) {
    return new UnusableModuleException(
        from.map(id -> "the module " + id + " requires '" + name + "', which is not there")
            .orElse("there is no module '" + name + "'"));
  }
}
