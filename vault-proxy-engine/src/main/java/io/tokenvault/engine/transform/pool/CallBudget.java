package io.tokenvault.engine.transform.pool;

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
}
