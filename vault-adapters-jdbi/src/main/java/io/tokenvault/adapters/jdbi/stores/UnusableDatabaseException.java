package io.tokenvault.adapters.jdbi.stores;

/**
 * Thrown if a database cannot be used. The message is for the operator: it names the database and
 * the cause, and contains no password.
 */
public final class UnusableDatabaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean permanent;

  /**
   * Creates the exception.
   *
   * @param message the database and the cause
   * @param permanent whether waiting cannot help because the setup has to be changed
   */
  public UnusableDatabaseException(String message, boolean permanent) {
    super(message);
    this.permanent = permanent;
  }

  /** Returns whether waiting cannot help: an operator has to change the setup first. */
  public boolean isPermanent() {
    return permanent;
  }
}
