package io.tokenvault.adapters.http.server;

/**
 * Thrown when a server cannot listen with its settings. The message states the cause for the
 * operator, without any content of the TLS files.
 */
public final class CannotListenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CannotListenException(String message) {
    super(message);
  }

  /** Creates the exception for an address that cannot be bound. */
  public CannotListenException(String host, int port) {
    this(
        "Cannot listen on "
            + host
            + ":"
            + port
            + ": it is in use, not an address of this machine, or a port that needs a privilege.");
  }

  CannotListenException(String host, int port, Throwable cause) {
    this(host, port);
    initCause(cause);
  }
}
