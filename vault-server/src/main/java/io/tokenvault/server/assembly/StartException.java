package io.tokenvault.server.assembly;

/**
 * Reports that the vault cannot start. The message names the reason and is meant for the operator.
 */
public final class StartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }
}
