package io.tokenvault.domain.proxy;

/** A text is no acceptable destination; the message says what would be right. */
public final class InvalidDestinationException extends Exception {

  private static final long serialVersionUID = 1L;

  InvalidDestinationException(String message) {
    super(message);
  }
}
