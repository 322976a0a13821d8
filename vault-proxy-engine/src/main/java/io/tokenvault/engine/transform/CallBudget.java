package io.tokenvault.engine.transform;

/**
 * What a script may call for during one invocation.
 *
 * @param most calls; the worker keeps to it, and one that does not has been taken over
 */
record CallBudget(CallHandler handler, int most) {

  static final CallBudget NONE =
      new CallBudget(
          call -> {
            throw new IllegalStateException("no call is expected");
          },
          0);
}
