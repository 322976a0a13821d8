package io.tokenvault.server.cli;

/** What a command gives cannot be written; the message is for the operator. */
final class CannotWriteException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CannotWriteException(String message) {
    super(message);
  }
}
