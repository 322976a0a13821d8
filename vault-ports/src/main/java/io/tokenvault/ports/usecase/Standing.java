package io.tokenvault.ports.usecase;

/**
 * Whether what was decided about a request so far came from memory and was not confirmed yet. Then
 * nothing of it may be told or recorded but on condition, and all of it may be decided anew; once
 * entries may have been written, nothing is done again. For one thread.
 */
final class Standing {

  private boolean provisional;

  private Standing(boolean provisional) {
    this.provisional = provisional;
  }

  static Standing provisional() {
    return new Standing(true);
  }

  static Standing settled() {
    return new Standing(false);
  }

  boolean isProvisional() {
    return provisional;
  }

  /** It was confirmed, or nobody knows whether it was recorded. */
  void settle() {
    provisional = false;
  }
}
