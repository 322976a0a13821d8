package io.tokenvault.engine.worker.node.script;

import org.mozilla.javascript.Callable;

/**
 * Services of the event loop for the surface of one realm. Called on the thread of the loop only.
 */
public interface RealmServices {

  /**
   * Sends a call to the server.
   *
   * @param operation {@code fetch} or, for example, {@code bt.tokens.create}
   * @param json the arguments, as {@code FromWorker.Call} describes them
   * @param done called on the loop with {@code (ok, json)}, unless the invocation ends before
   * @throws RuntimeException a JavaScript error if the invocation has made too many calls
   */
  void call(String operation, String json, Callable done);

  /**
   * Sets a timer.
   *
   * @param function the function to call
   * @param arguments its arguments
   * @param delayMillis the delay in milliseconds; a value that is out of range counts as 1
   * @param repeats whether to call the function repeatedly until the timer is cleared
   * @return the number of the timer, from 1
   */
  int setTimer(Callable function, Object[] arguments, double delayMillis, boolean repeats);

  /** Clears a timer; has no effect if there is none with this number. */
  void clearTimer(int number);

  /** Runs a function when the stack is empty, after the microtasks that are already queued. */
  void enqueueMicrotask(Callable function);

  /**
   * Counts work that Java is about to do for a script, which the interpreter does not count.
   *
   * @param units the work in units of about two nanoseconds, such as hashing or copying a byte
   * @throws Error that scripts cannot catch, if the work would exceed the limits of the invocation
   */
  void spend(long units);

  /**
   * Records a line of console output.
   *
   * @param level {@code log}, {@code info}, {@code warn}, {@code error} or {@code debug}
   */
  void console(String level, String text);
}
