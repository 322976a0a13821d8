package io.tokenvault.server.config;

/**
 * Reports that a command or the server cannot do its work, for example because of a file that it
 * was given. The message is meant for the operator and contains no data.
 */
public final class OperatorException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public OperatorException(String message) {
    super(message);
  }
}
