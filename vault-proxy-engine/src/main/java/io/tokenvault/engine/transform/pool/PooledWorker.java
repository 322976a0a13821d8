package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.pool.CallBudget.ModuleSupplier;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.ToWorker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A worker that is ready for tasks.
 *
 * <p>It is unassigned until its first use, and from then on it belongs to that tenant until it
 * ends. Its state is guarded by the pool's lock. The task that it is assigned to sends requests to
 * it, from one thread at a time; a response of the wrong type ends the worker.
 *
 * <pre>{@code
 * Finished finished =
 *     pool.run(tenantId, worker -> worker.invoke(invocation, () -> load, budget));
 * }</pre>
 */
public final class PooledWorker {
  /** The limits after which a worker cannot be used any more. */
  private static final Set<FailureKind> OVERRUNS =
      Set.of(
          FailureKind.CPU_TIME,
          FailureKind.WALL_TIME,
          FailureKind.INSTRUCTIONS,
          FailureKind.ALLOCATION,
          FailureKind.STACK);

  private final WorkerProcess process;
  private final Duration grace;

  /** The keys of the transforms that the worker has. */
  private final Set<String> transforms = new HashSet<>();

  /** The owner; empty for a spare. */
  private Optional<UUID> tenant = Optional.empty();

  private boolean busy;

  private int uses;

  private long idleSince = System.nanoTime();

  /**
   * Creates an unassigned worker.
   *
   * @param grace the time beyond the limit of an invocation after which the process is killed
   */
  PooledWorker(WorkerProcess process, Duration grace) {
    this.process = process;
    this.grace = grace;
  }

  WorkerProcess process() {
    return process;
  }

  /**
   * Assigns the worker to a task of a tenant.
   *
   * @throws IllegalStateException if it is busy or belongs to another tenant
   */
  void assign(UUID by) {
    if (busy || !tenant.orElse(by).equals(by)) {
      throw new IllegalStateException("the worker is another's");
    }
    tenant = Optional.of(by);
    busy = true;
    uses++;
  }

  /** Marks the worker as idle. */
  void release() {
    busy = false;
    idleSince = System.nanoTime();
  }

  boolean isBusy() {
    return busy;
  }

  /** Returns whether the worker is not yet assigned to a tenant. */
  boolean isSpare() {
    return tenant.isEmpty();
  }

  /** Returns whether the worker belongs to the given tenant. */
  boolean isOf(UUID other) {
    return tenant.isPresent() && tenant.get().equals(other);
  }

  /** Returns when the worker became idle, in terms of {@link System#nanoTime}. */
  long idleSince() {
    return idleSince;
  }

  /**
   * Returns whether the worker has reached the number of uses or transforms after which it is
   * replaced.
   */
  boolean isUsedUp(WorkerSettings settings) {
    return uses >= settings.maxUses() || transforms.size() >= settings.maxTransforms();
  }

  /**
   * Calls the function of a transform.
   *
   * @param transform supplies the transform if this worker does not have it yet; a key identifies
   *     the same transform permanently
   * @param budget serves the calls of the script, and the modules that it requires
   * @throws WorkerFailedException if there is no result; the worker has then been ended
   */
  public FromWorker.Finished invoke(
      ToWorker.Invoke invocation, Supplier<ToWorker.Load> transform, CallBudget budget)
      throws WorkerFailedException {
    return finished(
        withTransform(invocation.key(), transform, invocation), budget, invocation.limits());
  }

  /**
   * Runs a transform without calling its function. The script cannot make calls.
   *
   * @param transform supplies the transform if this worker does not have it yet
   * @throws WorkerFailedException if there is no result; the worker has then been ended
   */
  public FromWorker.Finished probe(
      ToWorker.Probe probe, Supplier<ToWorker.Load> transform, ModuleSupplier modules)
      throws WorkerFailedException {
    return finished(
        withTransform(probe.key(), transform, probe),
        CallBudget.ofModules(modules),
        probe.limits());
  }

  /** Sends messages and waits for the end of the run, with a grace period beyond its time limit. */
  private FromWorker.Finished finished(
      List<ToWorker> messages, CallBudget calls, ToWorker.Limits limits)
      throws WorkerFailedException {
    Duration limit = Duration.ofMillis(limits.wallMillis()).plus(grace);
    if (process.exchange(messages, calls, limit) instanceof FromWorker.Finished finished) {
      if (isOverrun(finished.outcome())) {
        process.close();
      }
      return finished;
    }
    throw process.failed(WorkerFailure.DIED);
  }

  /**
   * Returns whether a limit was exceeded, so that the worker is not used again: the script may
   * still be running, some workers end in this case, and an exhausted stack interrupts any code.
   */
  private static boolean isOverrun(FromWorker.Outcome outcome) {
    return outcome instanceof FromWorker.Outcome.Failed failed && OVERRUNS.contains(failed.kind());
  }

  /**
   * Compiles a source.
   *
   * @param limit the elapsed time after which the worker is killed
   * @return {@link FromWorker.Compiled} or {@link FromWorker.Refused}
   * @throws WorkerFailedException if there is no result; the worker has then been ended
   */
  public FromWorker compile(ToWorker.Compile source, Duration limit) throws WorkerFailedException {
    FromWorker response = process.exchange(List.of(source), CallBudget.NONE, limit);
    if (response instanceof FromWorker.Compiled || response instanceof FromWorker.Refused) {
      return response;
    }
    boolean exceededCpuTime =
        response instanceof FromWorker.Finished finished && isOverrun(finished.outcome());
    throw process.failed(exceededCpuTime ? WorkerFailure.OUT_OF_CPU_TIME : WorkerFailure.DIED);
  }

  /** Adds a {@code Load} message if the worker does not have the transform yet. */
  private List<ToWorker> withTransform(
      String key, Supplier<ToWorker.Load> transform, ToWorker message) {
    if (transforms.contains(key)) {
      return List.of(message);
    }
    ToWorker.Load load = transform.get();
    transforms.add(key);
    return List.of(load, message);
  }
}
