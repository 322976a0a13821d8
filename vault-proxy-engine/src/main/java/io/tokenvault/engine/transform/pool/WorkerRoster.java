package io.tokenvault.engine.transform.pool;

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
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Who has which worker and who waits. Decides only; the pool acts. Guarded by the pool's lock.
 *
 * <p>The law: a worker is one tenant's until it dies. The tenant that uses fewest workers is served
 * first, and none uses more than its share. When the queue is full, whoever waits most often gives
 * way.
 */
final class WorkerRoster {

  private final PoolSettings settings;
  private final Set<PooledWorker> workers = new HashSet<>();
  private final List<WaitingTask> waiters = new ArrayList<>();
  private int starting;

  WorkerRoster(PoolSettings settings) {
    this.settings = settings;
  }

  /**
   * Lets one wait, if there is room.
   *
   * @return who does not wait, this one or another
   */
  Optional<WaitingTask> enqueue(WaitingTask waiter) {
    waiters.add(waiter);
    if (waiters.size() <= settings.queue() + room()) {
      return Optional.empty();
    }
    WaitingTask last = lastOfMostWaiting();
    waiters.remove(last);
    return Optional.of(last);
  }

  int waiting() {
    return waiters.size();
  }

  /** How many can be served without that anybody else is done first. */
  private int room() {
    long idle = workers.stream().filter(worker -> !worker.isBusy()).count();
    return settings.size() - workers.size() + (int) idle;
  }

  /** Among equals, the latest comer. */
  private WaitingTask lastOfMostWaiting() {
    Map<UUID, Integer> counts = new HashMap<>();
    waiters.forEach(waiter -> counts.merge(waiter.tenant(), 1, Integer::sum));
    WaitingTask last = waiters.get(waiters.size() - 1);
    for (int i = waiters.size() - 1; i >= 0; i--) {
      WaitingTask other = waiters.get(i);
      if (counts.get(other.tenant()) > counts.get(last.tenant())) {
        last = other;
      }
    }
    return last;
  }

  /** False if it does not wait any more, since it was served or refused. */
  boolean leave(WaitingTask waiter) {
    return waiters.remove(waiter);
  }

  /** Takes all who wait out of the queue. */
  List<WaitingTask> dismiss() {
    List<WaitingTask> all = List.copyOf(waiters);
    waiters.clear();
    return all;
  }

  /**
   * What is to be done next; empty if there is nothing.
   *
   * @param mayStart whether workers may be started now
   * @param withSpares whether spares are kept now
   */
  Optional<Step> next(boolean mayStart, boolean withSpares) {
    int unclaimed = starting;
    for (WaitingTask waiter : inTurn()) {
      Optional<Step> step = give(waiter);
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
    return mayStart && lacksSpare && isRoom() ? Optional.of(new Step.Start()) : Optional.empty();
  }

  private Optional<Step> give(WaitingTask waiter) {
    return idle(worker -> worker.isOf(waiter.tenant()))
        .or(() -> idle(PooledWorker::isSpare))
        .map(worker -> new Step.Give(waiter, worker));
  }

  private Optional<Step> makeWorker() {
    return isRoom()
        ? Optional.of(new Step.Start())
        : replaceable().map(worker -> new Step.Retire(worker));
  }

  /**
   * Those who may have a worker: first whoever's tenant uses fewest, with those counted that come
   * before; among equals, who came first.
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

  private long used(UUID tenant) {
    return workers.stream().filter(worker -> worker.isBusy() && worker.isOf(tenant)).count();
  }

  private long spares() {
    return workers.stream().filter(PooledWorker::isSpare).count();
  }

  private boolean isRoom() {
    return workers.size() + starting < settings.size();
  }

  /** The longest idle worker, of a tenant that does not wait if there is one. */
  private Optional<PooledWorker> replaceable() {
    Set<UUID> waiting = waiters.stream().map(WaitingTask::tenant).collect(Collectors.toSet());
    return idle(worker -> waiting.stream().noneMatch(worker::isOf)).or(() -> idle(any -> true));
  }

  /** The longest idle one, if there is one. */
  private Optional<PooledWorker> idle(Predicate<PooledWorker> which) {
    return workers.stream()
        .filter(worker -> !worker.isBusy() && worker.process().isAlive())
        .filter(which)
        .min(Comparator.comparingLong(PooledWorker::idleSince));
  }

  void give(Step.Give given) {
    waiters.remove(given.waiter());
    given.worker().take(given.waiter().tenant());
  }

  void startBegins() {
    starting++;
  }

  void startEnds(Optional<PooledWorker> started) {
    starting--;
    started.ifPresent(workers::add);
  }

  boolean isEmpty() {
    return workers.isEmpty() && starting == 0;
  }

  /** False if it has been removed before. */
  boolean remove(PooledWorker worker) {
    return workers.remove(worker);
  }

  /** Those that nobody has used for a time. */
  List<PooledWorker> idleSince(long before, boolean withSpares) {
    return workers.stream()
        .filter(worker -> !worker.isBusy() && worker.idleSince() - before < 0)
        .filter(worker -> withSpares || !worker.isSpare())
        .toList();
  }

  List<PooledWorker> workers() {
    return List.copyOf(workers);
  }

  /** What the pool is to do. */
  sealed interface Step {
    record Give(WaitingTask waiter, PooledWorker worker) implements Step {}

    record Retire(PooledWorker worker) implements Step {}

    record Start() implements Step {}
  }
}
