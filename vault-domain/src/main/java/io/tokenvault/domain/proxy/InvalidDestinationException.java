package io.tokenvault.domain.proxy;

/** Reports that a string is not an acceptable destination; the message states what is expected. */
public final class InvalidDestinationException extends Exception {

  private static final long serialVersionUID = 1L;

  InvalidDestinationException(String message) {
    super(message);
  }
}
