package io.tokenvault.ports.api;

/**
 * Reports that the caller of an invocation has disconnected, as far as its connection shows it.
 * Implementations are thread-safe.
 */
public interface CallerPresence {

  /** Never reports a disconnected caller. */
  CallerPresence UNWATCHED = action -> {};

  /**
   * Runs the action once if the caller disconnects before the invocation ends, or immediately if it
   * has already disconnected.
   *
   * @param action cancels the caller's pending work; never blocks, and may run on any thread
   */
  void whenGone(Runnable action);
}
