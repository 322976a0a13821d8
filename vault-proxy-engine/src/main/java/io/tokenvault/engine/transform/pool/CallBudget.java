package io.tokenvault.engine.transform.pool;

/**
 * What a script may call for during one invocation.
 *
 * @param most calls; the worker keeps to it, and one that does not has been taken over
 */
public record CallBudget(CallHandler handler, int most) {

  public static final CallBudget NONE =
      new CallBudget(
          call -> {
            throw new IllegalStateException("no call is expected");
          },
          0);
}
