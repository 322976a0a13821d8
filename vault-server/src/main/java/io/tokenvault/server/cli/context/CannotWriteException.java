package io.tokenvault.server.cli.context;

/** What a command gives cannot be written; the message is for the operator. */
public final class CannotWriteException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CannotWriteException(String message) {
    super(message);
  }
}
