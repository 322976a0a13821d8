package io.tokenvault.adapters.jdbi.stores;

/**
 * There is no working on a database; the message is for the operator and names the database and the
 * cause, and no password.
 */
public final class UnusableDatabaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean lasting;

  /**
   * @param lasting whether no waiting helps, since something has to be set up in another way
   */
  public UnusableDatabaseException(String message, boolean lasting) {
    super(message);
    this.lasting = lasting;
  }

  /** Whether no waiting helps. */
  public boolean isLasting() {
    return lasting;
  }
}
