package io.tokenvault.engine.transform.pool;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker processes, started ahead of need, each of which serves one tenant until it dies. Who finds
 * all busy waits in a bounded queue for a bounded time. Nothing of it outlives the server.
 */
public final class WorkerPool implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final PoolSettings settings;
  private final WorkerLauncher launcher;
  private final WorkerThreads threads;

  /** Guards all fields below, and the workers' own. Nothing under it waits. */
  private final ReentrantLock lock = new ReentrantLock();

  private final WorkerRoster roster;
  private final List<WorkerProcess> processes = new ArrayList<>();
  private final BackOff backOff = new BackOff();

  /** As long ago as when nobody has used it for a time, before the first use. */
  private long lastUse;

  private boolean keepsSpares;
  private boolean closed;

  /** Starts nothing yet. */
  public WorkerPool(PoolSettings settings, WorkerLauncher launcher) {
    this.settings = settings;
    this.lastUse = System.nanoTime() - settings.idle().toNanos();
    this.launcher = launcher;
    this.threads = new WorkerThreads(settings.size());
    this.roster = new WorkerRoster(settings);
    threads.repeatedly(settings.idle().dividedBy(4), this::retireIdle);
  }

  /** Starts the first spares in the background, if they are to be ahead of the first task. */
  public void startSpares() {
    locked(
        () -> {
          keepsSpares = keepsSpares || settings.ahead();
          dispatch();
        });
  }

  /** What is done with a worker. */
  @FunctionalInterface
  public interface Task<T> {
    T with(WorkerGrant lease) throws WorkerFailedException;
  }

  /**
   * Does a task with a worker of the tenant's, on the caller's thread.
   *
   * @throws WorkerFailedException if there is no worker, or it gave no result
   */
  public <T> T run(UUID tenant, Task<T> task) throws WorkerFailedException {
    PooledWorker worker = acquire(tenant);
    try {
      return task.with(new WorkerGrant(worker, settings.grace()));
    } finally {
      locked(() -> giveBack(worker));
    }
  }

  private PooledWorker acquire(UUID tenant) throws WorkerFailedException {
    WaitingTask waiter = new WaitingTask(tenant);
    locked(() -> enter(waiter));
    try {
      return waiter.worker().get(settings.longestWait().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return leave(waiter, WorkerFailure.BUSY);
    } catch (ExecutionException e) {
      throw refusal(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return leave(waiter, WorkerFailure.STOPPED);
    }
  }

  private static WorkerFailedException refusal(ExecutionException refused) {
    if (refused.getCause() instanceof WorkerFailedException failed) {
      return failed;
    }
    throw new IllegalStateException(refused);
  }

  private void enter(WaitingTask waiter) {
    lastUse = System.nanoTime();
    keepsSpares = true;
    if (closed) {
      waiter.giveUp(WorkerFailure.STOPPED);
    } else if (roster.isEmpty() && backOff.remaining().isPresent()) {
      waiter.giveUp(WorkerFailure.CANNOT_START);
    } else {
      roster.enqueue(waiter).ifPresent(refused -> refused.giveUp(WorkerFailure.BUSY));
      dispatch();
    }
  }

  /** A worker may have come at the last moment. */
  private PooledWorker leave(WaitingTask waiter, WorkerFailure why) throws WorkerFailedException {
    locked(
        () -> {
          if (roster.leave(waiter)) {
            waiter.giveUp(why);
          }
        });
    try {
      return waiter.worker().getNow(null);
    } catch (CompletionException e) {
      throw new WorkerFailedException(why);
    }
  }

  private void giveBack(PooledWorker worker) {
    worker.giveBack();
    lastUse = System.nanoTime();
    if (!worker.process().isAlive() || worker.isUsedUp(settings.worker())) {
      retire(worker);
    }
    dispatch();
  }

  /** Hands out what there is and has started what is wanted. */
  private void dispatch() {
    Optional<WorkerRoster.Step> step = next();
    while (step.isPresent()) {
      take(step.get());
      step = next();
    }
  }

  private Optional<WorkerRoster.Step> next() {
    return closed ? Optional.empty() : roster.next(backOff.remaining().isEmpty(), keepsSpares);
  }

  private void take(WorkerRoster.Step step) {
    if (step instanceof WorkerRoster.Step.Give give) {
      roster.give(give);
      give.waiter().worker().complete(give.worker());
    } else if (step instanceof WorkerRoster.Step.Retire idle) {
      retire(idle.worker());
    } else {
      start();
    }
  }

  private void retire(PooledWorker worker) {
    roster.remove(worker);
    worker.process().close();
  }

  private void start() {
    roster.startBegins();
    CompletableFuture<?> unused =
        CompletableFuture.supplyAsync(this::launch, threads.launcher())
            .thenApplyAsync(this::makeReady, threads.starters())
            .whenComplete((worker, failure) -> locked(() -> started(Optional.ofNullable(worker))));
  }

  private WorkerProcess launch() {
    try {
      WorkerProcess process = new WorkerProcess(launcher.start(settings.worker()), threads);
      locked(() -> register(process));
      return process;
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void register(WorkerProcess process) {
    processes.add(process);
    if (closed) {
      process.close();
    }
    CompletableFuture<?> unused =
        process.onEnd().thenRun(() -> threads.soon(() -> locked(() -> ended(process))));
  }

  private PooledWorker makeReady(WorkerProcess process) {
    try {
      process.begin(launcher.begin(), settings.worker().startLimit());
      return new PooledWorker(process);
    } catch (WorkerFailedException e) {
      throw new CompletionException(e);
    }
  }

  /** A worker that ended right after it was ready is as good as none. */
  private void started(Optional<PooledWorker> worker) {
    Optional<PooledWorker> living = worker.filter(started -> started.process().isAlive());
    roster.startEnds(living);
    if (living.isPresent()) {
      backOff.reset();
    } else if (!closed) {
      retryLater();
    }
    dispatch();
  }

  private void retryLater() {
    Duration pause = backOff.fail();
    log.warn("a transform worker does not start; next try in {} ms", pause.toMillis());
    if (roster.isEmpty()) {
      roster.dismiss().forEach(waiter -> waiter.giveUp(WorkerFailure.CANNOT_START));
    }
    Future<?> unused = threads.later(pause, () -> locked(this::dispatch));
  }

  private void ended(WorkerProcess process) {
    processes.remove(process);
    roster.workers().stream().filter(worker -> worker.process() == process).forEach(roster::remove);
    dispatch();
  }

  private void retireIdle() {
    locked(
        () -> {
          long before = System.nanoTime() - settings.idle().toNanos();
          keepsSpares = settings.ahead() || lastUse - before > 0;
          roster.idleSince(before, !keepsSpares).forEach(this::retire);
          dispatch();
        });
  }

  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all workers, whatever they are at, and waits until they have ended. */
  @Override
  public void close() {
    locked(this::endAll);
    try {
      awaitEnds();
      threads.close();
      threads.awaitLastLaunch(LONGEST_END);
      awaitEnds();
    } catch (InterruptedException e) {
      threads.close();
      Thread.currentThread().interrupt();
    }
  }

  private void awaitEnds() throws InterruptedException {
    for (WorkerProcess process : remaining()) {
      process.awaitEnd(LONGEST_END);
    }
  }

  private void endAll() {
    closed = true;
    roster.dismiss().forEach(waiter -> waiter.giveUp(WorkerFailure.STOPPED));
    processes.forEach(WorkerProcess::close);
  }

  private List<WorkerProcess> remaining() {
    List<WorkerProcess> remaining = new ArrayList<>();
    locked(() -> remaining.addAll(processes));
    return remaining;
  }

  /** How many wait for a worker. */
  int waiting() {
    List<Integer> waiting = new ArrayList<>();
    locked(() -> waiting.add(roster.waiting()));
    return waiting.get(0);
  }

  /** The processes there are, ready or not. */
  public List<ProcessHandle> handles() {
    return remaining().stream().map(WorkerProcess::handle).toList();
  }

  /** Pauses that double with each failure in a row. */
  private static final class BackOff {

    private static final Duration FIRST = Duration.ofMillis(250);
    private static final int MOST_DOUBLINGS = 7;

    private int failures;
    private long until;

    /** Counts a failure, and says how long to pause. */
    Duration fail() {
      Duration pause = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
      failures++;
      until = System.nanoTime() + pause.toNanos();
      return pause;
    }

    void reset() {
      failures = 0;
    }

    /** What is left of the pause. */
    Optional<Duration> remaining() {
      long left = until - System.nanoTime();
      return failures > 0 && left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }
  }
}
