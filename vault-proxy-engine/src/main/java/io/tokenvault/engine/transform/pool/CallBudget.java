package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;

/**
 * Calls that a script may make during one invocation.
 *
 * @param handler serves the calls
 * @param most the greatest number of calls; the worker enforces it too, so one that exceeds it has
 *     been taken over
 */
public record CallBudget(CallHandler handler, int most) {

  /** No calls: for compilations and probes. */
  public static final CallBudget NONE =
      new CallBudget(
          call -> {
            throw new IllegalStateException("no call is expected");
          },
          0);

  /**
   * Server side of the calls that a script makes.
   *
   * <p>Used by threads of the pool, several at once for one invocation. A call may take any time,
   * but the invocation does not wait for it beyond its own end. The call is data of the script and
   * not trusted.
   */
  @FunctionalInterface
  public interface CallHandler {

    /**
     * Serves a call.
     *
     * @return the reply, which has the id of the call and is a problem if the call failed
     */
    ToWorker.Reply answer(FromWorker.Call call);
  }
}
