package io.tokenvault.ports.usecase.authorization;

/**
 * Whether what was decided about a request so far came from memory and was not confirmed yet. Then
 * nothing of it may be told or recorded but on condition, and all of it may be decided anew; once
 * entries may have been written, nothing is done again. For one thread.
 */
public final class DecisionState {

  private boolean provisional;

  private DecisionState(boolean provisional) {
    this.provisional = provisional;
  }

  public static DecisionState provisional() {
    return new DecisionState(true);
  }

  public static DecisionState settled() {
    return new DecisionState(false);
  }

  public boolean isProvisional() {
    return provisional;
  }

  /** It was confirmed, or nobody knows whether it was recorded. */
  public void settle() {
    provisional = false;
  }
}
