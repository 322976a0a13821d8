package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Assignment of workers to tenants, and the queue of waiting tasks. Decides only; the pool acts.
 * Guarded by the pool's lock.
 *
 * <p>Rules: a worker belongs to one tenant until it ends. The tenant that uses the fewest workers
 * is served first, and none uses more than its share. When the queue is full, the tenant with the
 * most waiting tasks loses its latest one.
 */
final class WorkerRoster {

  private final PoolSettings settings;
  private final Set<PooledWorker> workers = new HashSet<>();

  /** The waiting tasks in the order of their arrival. */
  private final List<WaitingTask> waiters = new ArrayList<>();

  /** The number of workers that are being started. */
  private int starting;

  WorkerRoster(PoolSettings settings) {
    this.settings = settings;
  }

  /**
   * Adds a task to the queue.
   *
   * @return the task that was rejected because the queue is full: this one or another
   */
  Optional<WaitingTask> enqueue(WaitingTask waiter) {
    waiters.add(waiter);
    if (waiters.size() <= settings.queue() + freeSlots()) {
      return Optional.empty();
    }
    WaitingTask last = lastOfMostWaiting();
    waiters.remove(last);
    return Optional.of(last);
  }

  int waiting() {
    return waiters.size();
  }

  /** Returns the number of tasks that can be served before another task ends. */
  private int freeSlots() {
    long idle = workers.stream().filter(worker -> !worker.isBusy()).count();
    return settings.size() - workers.size() + (int) idle;
  }

  /** Returns the latest task of the tenant with the most waiting tasks. */
  private WaitingTask lastOfMostWaiting() {
    Map<UUID, Long> counts =
        waiters.stream().collect(Collectors.groupingBy(WaitingTask::tenant, Collectors.counting()));
    return waiters.stream()
        .reduce((best, next) -> counts.get(next.tenant()) < counts.get(best.tenant()) ? best : next)
        .orElseThrow();
  }

  /** Removes a task; returns false if it was not waiting, since it was served or rejected. */
  boolean leave(WaitingTask waiter) {
    return waiters.remove(waiter);
  }

  List<WaitingTask> removeAll() {
    List<WaitingTask> all = List.copyOf(waiters);
    waiters.clear();
    return all;
  }

  /** Returns the next step for the pool; empty if there is nothing to do. */
  Optional<Step> next(boolean mayStart, boolean withSpares) {
    // The usual case under load, when putting the long queue in order takes time.
    if (freeSlots() == 0) {
      return Optional.empty();
    }
    int unclaimed = starting;
    for (WaitingTask waiter : inTurn()) {
      Optional<Step> step = assignment(waiter);
      if (step.isEmpty() && unclaimed > 0) {
        unclaimed--;
      } else if (step.isEmpty() && mayStart) {
        step = makeWorker();
      }
      if (step.isPresent()) {
        return step;
      }
    }
    boolean lacksSpare = withSpares && spares() + unclaimed < settings.spares();
    return mayStart && lacksSpare && hasFreeSlot()
        ? Optional.of(new Step.Start())
        : Optional.empty();
  }

  /** Returns the assignment of an idle worker of the tenant, or else of a spare; empty if none. */
  private Optional<Step> assignment(WaitingTask waiter) {
    return idle(worker -> worker.isOf(waiter.tenant()))
        .or(() -> idle(PooledWorker::isSpare))
        .map(worker -> new Step.Assign(waiter, worker));
  }

  /** Starts a worker; if the pool is full, ends an idle one first, to make room. */
  private Optional<Step> makeWorker() {
    return hasFreeSlot()
        ? Optional.of(new Step.Start())
        : replaceable().map(worker -> new Step.Retire(worker));
  }

  /**
   * Returns the tasks that may have a worker, in the order in which to serve them.
   *
   * <p>Tasks of the tenants with the fewest workers are first, where earlier tasks of a tenant
   * count as workers that it uses; among equals the earlier task is first. Tasks beyond a tenant's
   * share are omitted.
   */
  private List<WaitingTask> inTurn() {
    Map<UUID, Long> used = new HashMap<>();
    Map<WaitingTask, Long> ranks = new LinkedHashMap<>();
    for (WaitingTask waiter : waiters) {
      long rank = used.computeIfAbsent(waiter.tenant(), this::used);
      used.put(waiter.tenant(), rank + 1);
      if (rank < settings.perTenant()) {
        ranks.put(waiter, rank);
      }
    }
    return ranks.keySet().stream().sorted(Comparator.comparing(ranks::get)).toList();
  }

  /** Returns the number of workers that a tenant is using. */
  private long used(UUID tenant) {
    return workers.stream().filter(worker -> worker.isBusy() && worker.isOf(tenant)).count();
  }

  private long spares() {
    return workers.stream().filter(PooledWorker::isSpare).count();
  }

  /** Returns whether the pool may have one more worker. */
  private boolean hasFreeSlot() {
    return workers.size() + starting < settings.size();
  }

  /**
   * Returns the idle worker to replace: the one that has been idle for longest, preferably of a
   * tenant without waiting tasks.
   */
  private Optional<PooledWorker> replaceable() {
    Set<UUID> waiting = waiters.stream().map(WaitingTask::tenant).collect(Collectors.toSet());
    return idle(worker -> waiting.stream().noneMatch(worker::isOf)).or(() -> idle(any -> true));
  }

  /** Returns the matching worker that has been idle for longest; empty if there is none. */
  private Optional<PooledWorker> idle(Predicate<PooledWorker> which) {
    return workers.stream()
        .filter(worker -> !worker.isBusy() && worker.process().isAlive())
        .filter(which)
        .min(Comparator.comparingLong(PooledWorker::idleSince));
  }

  /** Records that a task has received its worker. */
  void assign(Step.Assign assignment) {
    waiters.remove(assignment.waiter());
    assignment.worker().assign(assignment.waiter().tenant());
  }

  /** Records that a worker is being started. */
  void startBegins() {
    starting++;
  }

  /**
   * Records the end of a start.
   *
   * @param started the worker; empty if the start failed
   */
  void startEnds(Optional<PooledWorker> started) {
    starting--;
    started.ifPresent(workers::add);
  }

  /** Returns whether there is no worker, not even one that is being started. */
  boolean isEmpty() {
    return workers.isEmpty() && starting == 0;
  }

  /** Removes a worker; returns false if it was removed before. */
  boolean remove(PooledWorker worker) {
    return workers.remove(worker);
  }

  /**
   * Returns the workers that have been idle since before the given time.
   *
   * @param before a time in terms of {@link System#nanoTime}
   */
  List<PooledWorker> idleSince(long before, boolean withSpares) {
    return workers.stream()
        .filter(worker -> !worker.isBusy() && worker.idleSince() - before < 0)
        .filter(worker -> withSpares || !worker.isSpare())
        .toList();
  }

  List<PooledWorker> workers() {
    return List.copyOf(workers);
  }

  /** A step that the pool takes. */
  sealed interface Step {
    record Assign(WaitingTask waiter, PooledWorker worker) implements Step {}

    /** Ends an idle worker to make room for another one. */
    record Retire(PooledWorker worker) implements Step {}

    /** Starts a worker, for a task that waits or as a spare. */
    record Start() implements Step {}
  }

  /**
   * A task that waits for a worker.
   *
   * @param worker completed with a worker, or with the failure that ends the wait
   */
  record WaitingTask(UUID tenant, CompletableFuture<PooledWorker> worker) {

    WaitingTask(UUID tenant) {
      this(tenant, new CompletableFuture<>());
    }

    /** Ends the wait with a failure; has no effect if a worker has been assigned. */
    void giveUp(WorkerFailure failure) {
      worker.completeExceptionally(new WorkerFailedException(failure));
    }
  }
}
