package io.tokenvault.engine.transform;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.ToWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Says to a worker what there is to do, and refuses what is no answer to it. */
final class WorkerLease implements Lease {

  private static final Set<Failing> OVERRUNS =
      Set.of(Failing.CPU_TIME, Failing.WALL_TIME, Failing.INSTRUCTIONS, Failing.ALLOCATION);

  private final Worker worker;
  private final Duration grace;

  WorkerLease(Worker worker, Duration grace) {
    this.worker = worker;
    this.grace = grace;
  }

  @Override
  public FromWorker.Finished invoke(
      ToWorker.Invoke invocation, Supplier<ToWorker.Bundle> bundle, CallHandler calls)
      throws WorkerFailedException {
    ToWorker.Limits limits = invocation.limits();
    return finished(
        withBundle(invocation.key(), bundle, invocation),
        new CallBudget(calls, limits.maxCalls()),
        limits);
  }

  @Override
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

  @Override
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
