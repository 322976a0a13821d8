package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.transform.pool.WorkerProcess.StartFailedException;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.transform.pool.WorkerRoster.WaitingTask;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pool of worker processes that are started ahead of need.
 *
 * <p>A worker serves one tenant until it ends. If all workers are busy, a task waits in a bounded
 * queue for a bounded time. {@link #close} ends all processes, and none of them outlives the
 * server. Thread-safe.
 *
 * <pre>{@code
 * try (WorkerPool pool = new WorkerPool(settings, launcher)) {
 *   FromWorker.Finished finished =
 *       pool.run(tenantId, worker -> worker.invoke(invocation, () -> bundle, handler));
 * }
 * }</pre>
 */
public final class WorkerPool implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

  /** The longest wait for a process to end. */
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final PoolSettings settings;
  private final WorkerLauncher launcher;
  private final WorkerThreads threads;

  /** Guards all fields below and the state of the workers. No code waits while it has this lock. */
  private final ReentrantLock lock = new ReentrantLock();

  private final WorkerRoster roster;

  /** All processes that have not ended, including those that are not ready yet. */
  private final List<WorkerProcess> processes = new ArrayList<>();

  private final BackOff backOff = new BackOff();

  /**
   * The time of the last use. Before the first use it lies so far in the past that the pool counts
   * as idle.
   */
  private long lastUse;

  /** Whether spares are currently kept. */
  private boolean keepsSpares;

  private boolean closed;

  /** Creates a pool; no worker is started before the first use or {@link #startSpares}. */
  public WorkerPool(PoolSettings settings, WorkerLauncher launcher) {
    this.settings = settings;
    this.lastUse = System.nanoTime() - settings.idle().toNanos();
    this.launcher = launcher;
    this.threads = new WorkerThreads(settings.size());
    this.roster = new WorkerRoster(settings);
    threads.repeatedly(settings.idle().dividedBy(4), this::retireIdle);
  }

  /**
   * Starts the first spares in the background, if the settings require spares before the first
   * task.
   */
  public void startSpares() {
    locked(
        () -> {
          keepsSpares = keepsSpares || settings.ahead();
          dispatch();
        });
  }

  /** Task that uses a worker. */
  @FunctionalInterface
  public interface Task<T> {
    /**
     * Runs the task on the thread of the caller.
     *
     * @param worker the worker; must not be used after this method has returned
     * @throws WorkerFailedException if the worker gives no result
     */
    T with(PooledWorker worker) throws WorkerFailedException;
  }

  /**
   * Runs a task with a worker of a tenant, on the thread of the caller.
   *
   * <p>Waits for a worker if all are busy, up to the longest wait of the settings.
   *
   * @throws WorkerFailedException if there is no worker, or it gave no result
   */
  public <T> T run(UUID tenant, Task<T> task) throws WorkerFailedException {
    PooledWorker worker = acquire(tenant);
    try {
      return task.with(worker);
    } finally {
      locked(() -> release(worker));
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
      // The only exception with which a wait is completed.
      throw (WorkerFailedException) e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return leave(waiter, WorkerFailure.STOPPED);
    }
  }

  /** Adds a task to the queue, unless the pool is closed, unable to start workers or full. */
  private void enter(WaitingTask waiter) {
    lastUse = System.nanoTime();
    keepsSpares = true;
    if (closed) {
      waiter.giveUp(WorkerFailure.STOPPED);
    } else if (roster.isEmpty() && backOff.isPausing()) {
      waiter.giveUp(WorkerFailure.CANNOT_START);
    } else {
      roster.enqueue(waiter).ifPresent(refused -> refused.giveUp(WorkerFailure.BUSY));
      dispatch();
    }
  }

  /**
   * Removes a task from the queue after its wait; returns the worker that it may have received at
   * the last moment.
   */
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

  /** Returns a worker to the pool, or ends it if it is used up. */
  private void release(PooledWorker worker) {
    worker.release();
    lastUse = System.nanoTime();
    if (!worker.process().isAlive() || worker.isUsedUp(settings.worker())) {
      retire(worker);
    }
    dispatch();
  }

  /** Assigns idle workers to waiting tasks and starts the workers that are missing. */
  private void dispatch() {
    Optional<WorkerRoster.Step> step = next();
    while (step.isPresent()) {
      take(step.get());
      step = next();
    }
  }

  private Optional<WorkerRoster.Step> next() {
    return closed ? Optional.empty() : roster.next(!backOff.isPausing(), keepsSpares);
  }

  private void take(WorkerRoster.Step step) {
    if (step instanceof WorkerRoster.Step.Assign assignment) {
      roster.assign(assignment);
      assignment.waiter().worker().complete(assignment.worker());
    } else if (step instanceof WorkerRoster.Step.Retire idle) {
      retire(idle.worker());
    } else if (step instanceof WorkerRoster.Step.Start) {
      start(launcher.begin());
    }
  }

  /** Removes a worker from the pool and ends its process. */
  private void retire(PooledWorker worker) {
    roster.remove(worker);
    worker.process().close();
  }

  /**
   * Starts a worker in the background: one thread starts the process and another one waits until it
   * is ready.
   */
  private void start(ToWorker.Begin begin) {
    roster.startBegins();
    CompletableFuture<?> unused =
        CompletableFuture.supplyAsync(this::launch, threads.launcher())
            .thenApplyAsync(process -> makeReady(process, begin), threads.starters())
            .whenComplete((worker, failure) -> locked(() -> started(worker, failure)));
  }

  private WorkerProcess launch() {
    try {
      WorkerProcess process = new WorkerProcess(launcher.start(settings.worker()), threads);
      locked(() -> register(process));
      return process;
    } catch (IOException e) {
      throw new StartFailedException(e);
    }
  }

  /** Registers a process, so that {@code close} ends it and its end is noticed. */
  private void register(WorkerProcess process) {
    processes.add(process);
    if (closed) {
      process.close();
    }
    CompletableFuture<?> unused =
        process.onEnd().thenRun(() -> threads.submit(() -> locked(() -> ended(process))));
  }

  /** Waits until a process is ready for tasks. */
  private PooledWorker makeReady(WorkerProcess process, ToWorker.Begin begin) {
    try {
      process.begin(begin, settings.worker().startLimit());
      return new PooledWorker(process, settings.grace());
    } catch (WorkerFailedException e) {
      throw new StartFailedException(e.failure(), process);
    }
  }

  /**
   * Adds a new worker. One that ended immediately after it was ready counts as a failed start.
   *
   * @param worker null if there is none
   * @param failure the reason why there is no worker; null if it became ready
   */
  private void started(PooledWorker worker, Throwable failure) {
    Optional<PooledWorker> living =
        Optional.ofNullable(worker).filter(each -> each.process().isAlive());
    roster.startEnds(living);
    if (living.isPresent()) {
      backOff.reset();
    } else if (!closed) {
      retryLater(StartFailedException.describe(failure));
    }
    dispatch();
  }

  /**
   * Schedules another start after a pause. If there is no worker at all, waiting tasks fail now.
   */
  private void retryLater(String failure) {
    Duration pause = backOff.fail();
    log.warn(
        "A transform worker failed to start; retrying in {} ms: {}", pause.toMillis(), failure);
    if (roster.isEmpty()) {
      roster.removeAll().forEach(waiter -> waiter.giveUp(WorkerFailure.CANNOT_START));
    }
    threads.later(pause, () -> locked(this::dispatch));
  }

  /** Removes a process that has ended, and replaces it if necessary. */
  private void ended(WorkerProcess process) {
    processes.remove(process);
    roster.workers().stream().filter(worker -> worker.process() == process).forEach(roster::remove);
    dispatch();
  }

  /** Ends the workers that have been idle for too long, and spares if they are not kept now. */
  private void retireIdle() {
    locked(
        () -> {
          long before = System.nanoTime() - settings.idle().toNanos();
          keepsSpares = settings.ahead() || lastUse - before > 0;
          roster.idleSince(before, !keepsSpares).forEach(this::retire);
          dispatch();
        });
  }

  /** Runs work under the lock. */
  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all workers, including busy ones, and waits until their processes have ended. */
  @Override
  public void close() {
    locked(
        () -> {
          closed = true;
          roster.removeAll().forEach(waiter -> waiter.giveUp(WorkerFailure.STOPPED));
          processes.forEach(WorkerProcess::close);
        });
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

  /** Waits for the end of each process, which is killed if it takes too long. */
  private void awaitEnds() throws InterruptedException {
    for (WorkerProcess process : remaining()) {
      process.awaitEnd(LONGEST_END);
    }
  }

  private List<WorkerProcess> remaining() {
    List<WorkerProcess> remaining = new ArrayList<>();
    locked(() -> remaining.addAll(processes));
    return remaining;
  }

  /** Returns the number of tasks that wait for a worker. */
  int waiting() {
    List<Integer> waiting = new ArrayList<>();
    locked(() -> waiting.add(roster.waiting()));
    return waiting.get(0);
  }

  /** Returns the handles of all processes, ready or not. */
  public List<ProcessHandle> handles() {
    return remaining().stream().map(WorkerProcess::handle).toList();
  }

  /** Exponential backoff: pauses that double with each consecutive failure. */
  private static final class BackOff {

    private static final Duration FIRST = Duration.ofMillis(250);

    /** The greatest number of doublings: no pause is longer than 32 seconds. */
    private static final int MOST_DOUBLINGS = 7;

    private int failures;
    private long until;

    /** Records a failure and returns the pause before the next start. */
    Duration fail() {
      Duration pause = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
      failures++;
      until = System.nanoTime() + pause.toNanos();
      return pause;
    }

    void reset() {
      failures = 0;
    }

    boolean isPausing() {
      return failures > 0 && until - System.nanoTime() > 0;
    }
  }
}
