package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;

/**
 * Requests that a script may make of the server during one invocation.
 *
 * @param most the greatest number of calls; the worker enforces it too, so one that exceeds it has
 *     been taken over
 */
public record CallBudget(CallHandler handler, int most, ModuleSupplier modules) {

  /** Nothing: for the start and for compilations. */
  public static final CallBudget NONE =
      ofModules(
          require -> {
            throw new IllegalStateException("no module is expected");
          });

  /** Returns the budget of a run that may require modules but make no calls. */
  public static CallBudget ofModules(ModuleSupplier modules) {
    return new CallBudget(
        call -> {
          throw new IllegalStateException("no call is expected");
        },
        0,
        modules);
  }

  /**
   * Supplier of the operator's modules, which are the same for all tenants.
   *
   * <p>Used by threads of the pool, one at a time for one invocation, which does not wait beyond
   * its own end. The request is data of the script and not trusted.
   */
  @FunctionalInterface
  public interface ModuleSupplier {

    /** Finds a module; may compile it, which can take longer than the invocation may. */
    ToWorker.Provided provide(FromWorker.Require require);
  }

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
    ToWorker.Reply handle(FromWorker.Call call);
  }
}
