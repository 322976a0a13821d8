package io.tokenvault.adapters.jdbi.stores;

/**
 * Thrown if a backup cannot be restored into a database. Nothing was restored. The message is for
 * the operator: it gives the reason and contains no stored data.
 */
public final class RefusedRestoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public RefusedRestoreException(String message) {
    super(message);
  }
}
