package io.tokenvault.ports.usecase.authorization;

/**
 * Whether the decisions on a request so far are based on cached data that was not confirmed yet.
 *
 * <p>While they are, they may be reported or recorded only on condition of their versions, and all
 * of them may be repeated. Once entries may have been written, nothing is repeated. Not
 * thread-safe.
 */
public final class DecisionState {

  private boolean provisional;

  private DecisionState(boolean provisional) {
    this.provisional = provisional;
  }

  /** Returns the state of a decision on cached data, which must be confirmed. */
  public static DecisionState provisional() {
    return new DecisionState(true);
  }

  /** Returns the state of a decision on current data. */
  public static DecisionState settled() {
    return new DecisionState(false);
  }

  public boolean isProvisional() {
    return provisional;
  }

  /**
   * Ends the provisional state: the decisions were confirmed, or whether they were recorded is
   * unknown.
   */
  public void settle() {
    provisional = false;
  }
}
