package io.tokenvault.server.audit;

/**
 * Reports that a file is not a dump or has no checkpoints. The message is meant for the operator.
 */
public final class UnreadableLogException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnreadableLogException(String message) {
    super(message);
  }
}
