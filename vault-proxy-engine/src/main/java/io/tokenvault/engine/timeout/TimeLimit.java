package io.tokenvault.engine.timeout;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limit of one exchange with a destination or a worker, for one phase after the other;
 * cancels the exchange if a phase exceeds it.
 *
 * <p>A phase only stores its deadline, and one thread compares all deadlines with the clock, every
 * 50 milliseconds. OkHttp's timeouts share a lock, and most of them wake the thread that waits for
 * the earliest one.
 */
public final class TimeLimit implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TimeLimit.class);

  private static final long NONE = Long.MAX_VALUE;
  private static final long EXCEEDED = -1;

  /** Deadlines are relative to this time, so that they are positive. */
  private static final long ORIGIN = System.nanoTime();

  private final Runnable cancel;
  private final AtomicLong deadline = new AtomicLong(NONE);

  private TimeLimit(Runnable cancel) {
    this.cancel = cancel;
  }

  /**
   * Returns a limit without a deadline, which is watched until it is closed.
   *
   * @param cancel runs once, on the thread that watches all limits
   */
  public static TimeLimit of(Runnable cancel) {
    TimeLimit limit = new TimeLimit(cancel);
    Watch.add(limit);
    return limit;
  }

  /** Starts a phase. It replaces the previous one, unless that has exceeded its limit. */
  public void start(Duration duration) {
    long current = deadline.get();
    if (current != EXCEEDED) {
      // If this fails, the previous phase has just exceeded its limit.
      deadline.compareAndSet(current, now() + duration.toNanos());
    }
  }

  /**
   * Ends the current phase, if any.
   *
   * @throws SocketTimeoutException if a phase has exceeded its limit
   */
  public void end() throws SocketTimeoutException {
    long current = deadline.get();
    if (current == EXCEEDED || !deadline.compareAndSet(current, NONE)) {
      throw new SocketTimeoutException();
    }
  }

  /** Returns whether a phase has exceeded its limit. */
  public boolean isExceeded() {
    return deadline.get() == EXCEEDED;
  }

  @Override
  public void close() {
    Watch.WATCHED.remove(this);
  }

  private void cancelIfExceeded(long now) {
    long current = deadline.get();
    if (current != EXCEEDED && current <= now && deadline.compareAndSet(current, EXCEEDED)) {
      try {
        cancel.run();
      } catch (RuntimeException failed) {
        // The limits of other exchanges must remain watched.
        LOG.warn(
            "An exchange over its time limit was not canceled: {}", failed.getClass().getName());
      }
    }
  }

  private static long now() {
    return System.nanoTime() - ORIGIN;
  }

  /** The thread that watches all limits. It ends when there were none for ten seconds. */
  private static final class Watch {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int IDLE_ROUNDS = 200;

    private static final Set<TimeLimit> WATCHED = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean RUNNING = new AtomicBoolean();

    private Watch() {}

    static void add(TimeLimit limit) {
      WATCHED.add(limit);
      if (!RUNNING.get() && RUNNING.compareAndSet(false, true)) {
        Thread thread = new Thread(Watch::run, "vault-time-limits");
        thread.setDaemon(true);
        thread.start();
      }
    }

    private static void run() {
      do {
        try {
          watch();
        } finally {
          // After an error, the next limit starts another thread.
          RUNNING.set(false);
        }
        // A limit that was added before that has not started another thread.
      } while (!WATCHED.isEmpty() && RUNNING.compareAndSet(false, true));
    }

    private static void watch() {
      int idle = 0;
      while (idle < IDLE_ROUNDS) {
        LockSupport.parkNanos(PERIOD_NANOS);
        idle = WATCHED.isEmpty() ? idle + 1 : 0;
        long now = now();
        for (TimeLimit limit : WATCHED) {
          limit.cancelIfExceeded(now);
        }
      }
    }
  }
}
