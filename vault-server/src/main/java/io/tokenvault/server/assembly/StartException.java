package io.tokenvault.server.assembly;

/** The vault cannot start; the message is for the operator and says why. */
public final class StartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }
}
