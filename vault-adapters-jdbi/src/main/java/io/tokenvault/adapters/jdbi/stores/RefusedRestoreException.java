package io.tokenvault.adapters.jdbi.stores;

/** A backup cannot be restored here, and nothing was; the message is for the operator. */
public final class RefusedRestoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public RefusedRestoreException(String message) {
    super(message);
  }
}
