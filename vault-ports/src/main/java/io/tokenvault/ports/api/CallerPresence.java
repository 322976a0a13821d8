package io.tokenvault.ports.api;

/** Whether the caller of an invocation is still there. All threads may share one instance. */
public interface CallerPresence {

  /** Of a caller that nobody watches. */
  CallerPresence UNWATCHED = action -> {};

  /**
   * Runs the action once if the caller goes away before the invocation is over, at once if that has
   * happened already.
   *
   * @param action ends what the caller waited for; never blocks, and may run on any thread
   */
  void whenGone(Runnable action);
}
