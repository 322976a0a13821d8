package io.tokenvault.engine.transform.pool;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of a pool, each kind bounded.
 *
 * <p>All threads are daemons. Close this object to stop them.
 */
public final class WorkerThreads implements AutoCloseable {

  private static final int IDLE_SECONDS = 30;

  /**
   * Starts the processes. Its only thread lives as long as the pool, since the operating system
   * kills a worker when the thread that started it ends ({@code --pdeathsig}).
   */
  private final ExecutorService launcher = Executors.newFixedThreadPool(1, named("launch"));

  /** Runs short work. */
  private final ScheduledExecutorService clock =
      Executors.newScheduledThreadPool(1, named("clock"));

  /** Waits until new workers are ready. */
  private final ThreadPoolExecutor starters;

  /** Serves the calls of scripts. */
  private final ThreadPoolExecutor callers;

  public WorkerThreads(int workers) {
    starters =
        new ThreadPoolExecutor(
            workers,
            workers,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            named("start"));
    starters.allowCoreThreadTimeOut(true);
    // Twice the number that workers can occupy, since a call continues for a while after its worker
    // has ended.
    callers =
        new ThreadPoolExecutor(
            0,
            2 * workers * CallDispatcher.CALLS_AT_ONCE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            named("call"));
  }

  private static ThreadFactory named(String kind) {
    return work -> {
      Thread thread = new Thread(work, "vault-worker-" + kind);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns the executor that starts processes. */
  ExecutorService launcher() {
    return launcher;
  }

  /** Returns the executor that waits until workers are ready. */
  ExecutorService starters() {
    return starters;
  }

  /**
   * Serves a call of a script.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many calls are in progress
   */
  void call(Runnable call) {
    callers.execute(call);
  }

  /** Schedules short work once. */
  void later(Duration delay, Runnable work) {
    Future<?> unused = clock.schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs short work on another thread; ignored after the pool is closed. */
  void submit(Runnable work) {
    if (!clock.isShutdown()) {
      clock.execute(work);
    }
  }

  /** Runs short work repeatedly, with a pause after each run. */
  void repeatedly(Duration pause, Runnable work) {
    Future<?> unused =
        clock.scheduleWithFixedDelay(work, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until the last start of a process has returned; call {@link #close} before. */
  void awaitLastLaunch(Duration limit) throws InterruptedException {
    boolean unused = launcher.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Stops accepting work. Calls in progress continue to their end. */
  @Override
  public void close() {
    launcher.shutdown();
    clock.shutdownNow();
    starters.shutdown();
    callers.shutdown();
  }
}
