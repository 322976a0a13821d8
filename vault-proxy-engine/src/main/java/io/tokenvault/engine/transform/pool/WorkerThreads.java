package io.tokenvault.engine.transform.pool;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a pool, each kind bounded. */
public final class WorkerThreads implements AutoCloseable {

  private static final int IDLE_SECONDS = 30;

  /**
   * One thread that lives as long as the pool: the system ends a process with the very thread that
   * started it.
   */
  private final ExecutorService launcher = Executors.newFixedThreadPool(1, named("launch"));

  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(1, named("deadline"));
  private final ThreadPoolExecutor starters;
  private final ThreadPoolExecutor callers;

  /**
   * @param workers at most, at a time
   */
  public WorkerThreads(int workers) {
    clock.setRemoveOnCancelPolicy(true);
    starters =
        new ThreadPoolExecutor(
            workers,
            workers,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            named("start"));
    starters.allowCoreThreadTimeOut(true);
    // Twice as many as workers can hold, since calls go on for a while when their worker is dead.
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

  /** For the system's part in starting a process. */
  ExecutorService launcher() {
    return launcher;
  }

  /** For what waits for a worker to be ready. */
  ExecutorService starters() {
    return starters;
  }

  /**
   * @throws java.util.concurrent.RejectedExecutionException if too many calls are under way
   */
  void call(Runnable call) {
    callers.execute(call);
  }

  /** For what takes no time. */
  Future<?> later(Duration delay, Runnable work) {
    return clock.schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** For what takes no time; not done after the end. */
  void soon(Runnable work) {
    if (!clock.isShutdown()) {
      clock.execute(work);
    }
  }

  void repeatedly(Duration pause, Runnable work) {
    Future<?> unused =
        clock.scheduleWithFixedDelay(work, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  void awaitLastLaunch(Duration limit) throws InterruptedException {
    boolean unused = launcher.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Calls that are under way go on to their end. */
  @Override
  public void close() {
    launcher.shutdown();
    clock.shutdownNow();
    starters.shutdown();
    callers.shutdown();
  }
}
