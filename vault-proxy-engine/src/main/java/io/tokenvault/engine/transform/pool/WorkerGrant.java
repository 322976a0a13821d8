package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.ToWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Exclusive use of one worker while a task runs.
 *
 * <p>Sends requests to the worker and rejects responses of the wrong type, which end the worker.
 * Used by one thread at a time.
 *
 * <pre>{@code
 * Finished finished =
 *     pool.run(tenantId, grant -> grant.invoke(invocation, () -> bundle, handler));
 * }</pre>
 */
public final class WorkerGrant {

  /** The limits after which a worker cannot be used any more. */
  private static final Set<Failing> OVERRUNS =
      Set.of(Failing.CPU_TIME, Failing.WALL_TIME, Failing.INSTRUCTIONS, Failing.ALLOCATION);

  private final PooledWorker worker;
  private final Duration grace;

  WorkerGrant(PooledWorker worker, Duration grace) {
    this.worker = worker;
    this.grace = grace;
  }

  /**
   * Calls the function of a bundle.
   *
   * @param invocation the key of the bundle, the input and the limits
   * @param bundle supplies the bundle if this worker does not have it yet; a key identifies the
   *     same bundle permanently
   * @param calls serves the calls of the script
   * @return the result or failure that the worker reports
   * @throws WorkerFailedException if there is no result; the worker has then been ended
   */
  public FromWorker.Finished invoke(
      ToWorker.Invoke invocation, Supplier<ToWorker.Bundle> bundle, CallHandler calls)
      throws WorkerFailedException {
    ToWorker.Limits limits = invocation.limits();
    return finished(
        withBundle(invocation.key(), bundle, invocation),
        new CallBudget(calls, limits.maxCalls()),
        limits);
  }

  /**
   * Runs a bundle without calling its function. The script cannot make calls.
   *
   * @param probe the key of the bundle and the limits
   * @param bundle supplies the bundle if this worker does not have it yet
   * @throws WorkerFailedException if there is no result; the worker has then been ended
   */
  public FromWorker.Finished probe(ToWorker.Probe probe, Supplier<ToWorker.Bundle> bundle)
      throws WorkerFailedException {
    return finished(withBundle(probe.key(), bundle, probe), CallBudget.NONE, probe.limits());
  }

  /** Sends messages and waits for the end of the run, with a grace period beyond its time limit. */
  private FromWorker.Finished finished(
      List<ToWorker> messages, CallBudget calls, ToWorker.Limits limits)
      throws WorkerFailedException {
    Duration limit = Duration.ofMillis(limits.wallMillis()).plus(grace);
    if (worker.process().exchange(messages, calls, limit) instanceof FromWorker.Finished finished) {
      if (isOverrun(finished.outcome())) {
        worker.process().close();
      }
      return finished;
    }
    throw worker.process().failed(WorkerFailure.DIED);
  }

  /**
   * Returns whether a limit was exceeded. The script may then still be running, and some workers
   * end in this case, so the worker is not used again.
   */
  private static boolean isOverrun(FromWorker.Outcome outcome) {
    return outcome instanceof FromWorker.Outcome.Failed failed && OVERRUNS.contains(failed.kind());
  }

  /**
   * Compiles a source.
   *
   * @param source the source and its CPU time limit
   * @param limit the elapsed time after which the worker is killed
   * @return {@link FromWorker.Compiled} or {@link FromWorker.Refused}
   * @throws WorkerFailedException if there is no result; the worker has then been ended
   */
  public FromWorker compile(ToWorker.Compile source, Duration limit) throws WorkerFailedException {
    FromWorker answer = worker.process().exchange(List.of(source), CallBudget.NONE, limit);
    if (answer instanceof FromWorker.Compiled || answer instanceof FromWorker.Refused) {
      return answer;
    }
    boolean overran =
        answer instanceof FromWorker.Finished finished && isOverrun(finished.outcome());
    throw worker.process().failed(overran ? WorkerFailure.OUT_OF_CPU_TIME : WorkerFailure.DIED);
  }

  /** Adds a {@code Load} message if the worker does not have the bundle yet. */
  private List<ToWorker> withBundle(
      String key, Supplier<ToWorker.Bundle> bundle, ToWorker message) {
    return worker.lacks(key) ? List.of(load(key, bundle.get()), message) : List.of(message);
  }

  private ToWorker.Load load(String key, ToWorker.Bundle bundle) {
    worker.isGiven(key);
    return new ToWorker.Load(key, bundle);
  }
}
