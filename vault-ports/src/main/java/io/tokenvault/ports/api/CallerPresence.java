package io.tokenvault.ports.api;

/**
 * Reports that the caller of an invocation has left, as far as its connection shows it. All threads
 * may share one instance.
 */
public interface CallerPresence {

  /** The presence of a caller whose leaving is never reported. */
  CallerPresence UNWATCHED = action -> {};

  /**
   * Runs the action once if the caller is found to have left before the invocation is over, at once
   * if that has happened already.
   *
   * @param action ends what the caller waited for; never blocks, and may run on any thread
   */
  void whenGone(Runnable action);
}
