package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.ToWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The use of one worker, for as long as a task runs: says to it what there is to do, and refuses
 * what is no answer to it. Used by one thread at a time.
 */
public final class WorkerGrant {

  private static final Set<Failing> OVERRUNS =
      Set.of(Failing.CPU_TIME, Failing.WALL_TIME, Failing.INSTRUCTIONS, Failing.ALLOCATION);

  private final PooledWorker worker;
  private final Duration grace;

  WorkerGrant(PooledWorker worker, Duration grace) {
    this.worker = worker;
    this.grace = grace;
  }

  /**
   * Runs a bundle's function.
   *
   * @param bundle asked for only if this worker does not have it under that key yet; a key names
   *     the same bundle for ever
   * @param calls answers what the script calls for
   * @throws WorkerFailedException if there is no result; the worker is then gone
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

  /** Runs a bundle without calling its function, which can call for nothing. */
  public FromWorker.Finished probe(ToWorker.Probe probe, Supplier<ToWorker.Bundle> bundle)
      throws WorkerFailedException {
    return finished(withBundle(probe.key(), bundle, probe), CallBudget.NONE, probe.limits());
  }

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

  /** What ran on may do so still, and some workers end themselves then. */
  private static boolean isOverrun(FromWorker.Outcome outcome) {
    return outcome instanceof FromWorker.Outcome.Failed failed && OVERRUNS.contains(failed.kind());
  }

  /**
   * Compiles a source.
   *
   * @return {@link FromWorker.Compiled} or {@link FromWorker.Refused}
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

  private List<ToWorker> withBundle(
      String key, Supplier<ToWorker.Bundle> bundle, ToWorker message) {
    return worker.lacks(key) ? List.of(load(key, bundle.get()), message) : List.of(message);
  }

  private ToWorker.Load load(String key, ToWorker.Bundle bundle) {
    worker.isGiven(key);
    return new ToWorker.Load(key, bundle);
  }
}
