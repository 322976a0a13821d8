package io.tokenvault.server.cli.context;

/**
 * Reports that a command cannot read its input or write its result. The message is meant for the
 * operator.
 */
public final class CannotWriteException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CannotWriteException(String message) {
    super(message);
  }
}
