package io.tokenvault.adapters.http.server;

/** There is no listening on these settings; the message says what is wrong with them. */
public final class CannotListenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CannotListenException(String message) {
    super(message);
  }

  /** Where the port cannot be bound. */
  public CannotListenException(String host, int port) {
    this(
        "Cannot listen on "
            + host
            + ":"
            + port
            + ": it is in use, or not an address of this machine.");
  }
}
