package io.tokenvault.server.audit;

/** A file is not what it should be; the message says why, to the operator. */
public final class UnreadableLogException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnreadableLogException(String message) {
    super(message);
  }
}
