package io.tokenvault.engine.worker.node.script;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;

/** What the surface of one realm needs of the loop that runs it. Used on the loop's thread only. */
public interface RealmServices {

  /**
   * Asks the server for something.
   *
   * @param operation {@code fetch} or, for example, {@code bt.tokens.create}
   * @param json see {@code FromWorker.Call}
   * @param done called on the loop with {@code (ok, json)}, unless the invocation ends before
   * @throws RuntimeException a JavaScript error, if the invocation has made too many calls
   */
  void call(Context context, Scriptable realm, String operation, String json, Callable done);

  /**
   * Calls a function later.
   *
   * @param repeats whether it is called again and again, until cancelled
   * @return the timer's number, from 1
   */
  int setTimer(Callable function, Object[] arguments, double delayMillis, boolean repeats);

  /** Cancels a timer; nothing happens if there is none of this number. */
  void clearTimer(int number);

  /** Runs a function once the stack is empty, before promises' reactions of later turns. */
  void enqueueMicrotask(Callable function, Object[] arguments);

  /**
   * Counts work that Java is about to do for a script, since the interpreter does not see it.
   *
   * @param units of about two nanoseconds each, such as a byte to be hashed or copied
   * @throws Error what no script can catch, if the invocation's limits do not allow it
   */
  void spend(long units);

  /** Keeps a line of the console. */
  void console(String level, String text);
}
