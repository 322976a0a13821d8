package io.tokenvault.engine.transform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Who has which worker and who waits. Decides only; the pool acts. Guarded by the pool's lock.
 *
 * <p>The law: a worker is one tenant's until it dies. The tenant that uses fewest workers is served
 * first, and none uses more than its share. When the queue is full, whoever waits most often gives
 * way.
 */
final class Roster {

  private final PoolSettings settings;
  private final Set<Worker> workers = new HashSet<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private int starting;

  Roster(PoolSettings settings) {
    this.settings = settings;
  }

  /**
   * Lets one wait, if there is room.
   *
   * @return who does not wait, this one or another
   */
  Optional<Waiter> enqueue(Waiter waiter) {
    waiters.add(waiter);
    if (waiters.size() <= settings.queue() + room()) {
      return Optional.empty();
    }
    Waiter last = lastOfMostWaiting();
    waiters.remove(last);
    return Optional.of(last);
  }

  /** How many can be served without that anybody else is done first. */
  private int room() {
    long idle = workers.stream().filter(worker -> !worker.isBusy()).count();
    return settings.size() - workers.size() + (int) idle;
  }

  /** Among equals, the latest comer. */
  private Waiter lastOfMostWaiting() {
    Map<UUID, Integer> counts = new HashMap<>();
    waiters.forEach(waiter -> counts.merge(waiter.tenant(), 1, Integer::sum));
    Waiter last = waiters.get(waiters.size() - 1);
    for (int i = waiters.size() - 1; i >= 0; i--) {
      Waiter other = waiters.get(i);
      if (counts.get(other.tenant()) > counts.get(last.tenant())) {
        last = other;
      }
    }
    return last;
  }

  /** False if it does not wait any more, since it was served or refused. */
  boolean leave(Waiter waiter) {
    return waiters.remove(waiter);
  }

  /** Takes all who wait out of the queue. */
  List<Waiter> dismiss() {
    List<Waiter> all = List.copyOf(waiters);
    waiters.clear();
    return all;
  }

  /** Hands a worker to the next who can be served; empty if nobody can. */
  Optional<Match> match() {
    return waiters.stream()
        .filter(waiter -> used(waiter.tenant()) < settings.perTenant())
        .sorted(Comparator.comparingLong(waiter -> used(waiter.tenant())))
        .flatMap(waiter -> workerFor(waiter).map(worker -> new Match(waiter, worker)).stream())
        .findFirst()
        .map(this::seal);
  }

  private Match seal(Match match) {
    waiters.remove(match.waiter());
    match.worker().take(match.waiter().tenant());
    return match;
  }

  private Optional<Worker> workerFor(Waiter waiter) {
    return idle(worker -> worker.isOf(waiter.tenant())).or(() -> idle(Worker::isSpare));
  }

  /** The longest idle one, if there is one. */
  private Optional<Worker> idle(Predicate<Worker> which) {
    return workers.stream()
        .filter(worker -> !worker.isBusy() && worker.process().isAlive())
        .filter(which)
        .min(Comparator.comparingLong(Worker::idleSince));
  }

  private long used(UUID tenant) {
    return workers.stream().filter(worker -> worker.isBusy() && worker.isOf(tenant)).count();
  }

  /** How many who wait could be served at once, were there workers. */
  private long demand() {
    Map<UUID, Long> waiting = new HashMap<>();
    waiters.forEach(waiter -> waiting.merge(waiter.tenant(), 1L, Long::sum));
    return waiting.entrySet().stream()
        .mapToLong(of -> Math.min(of.getValue(), settings.perTenant() - used(of.getKey())))
        .sum();
  }

  /**
   * Whether a worker is to be started, for one who waits or as a spare.
   *
   * @param withSpares whether spares are kept now
   */
  boolean wantsAnother(boolean withSpares) {
    long spares = workers.stream().filter(Worker::isSpare).count();
    long wanted = demand() + (withSpares ? settings.spares() : 0);
    return workers.size() + starting < settings.size() && spares + starting < wanted;
  }

  /** An idle worker of somebody's who does not wait, in whose place one who waits gets another. */
  Optional<Worker> replaceable() {
    boolean full = workers.size() + starting >= settings.size();
    return full && starting < demand() ? idle(worker -> !worker.isSpare()) : Optional.empty();
  }

  void startBegins() {
    starting++;
  }

  void startEnds(Optional<Worker> started) {
    starting--;
    started.ifPresent(workers::add);
  }

  boolean isEmpty() {
    return workers.isEmpty() && starting == 0;
  }

  /** False if it has been removed before. */
  boolean remove(Worker worker) {
    return workers.remove(worker);
  }

  /** Those that nobody has used for a time. */
  List<Worker> idleSince(long before, boolean withSpares) {
    return workers.stream()
        .filter(worker -> !worker.isBusy() && worker.idleSince() - before < 0)
        .filter(worker -> withSpares || !worker.isSpare())
        .toList();
  }

  List<Worker> workers() {
    return List.copyOf(workers);
  }

  /** Who gets which. */
  record Match(Waiter waiter, Worker worker) {}
}
