package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.worker.realm.UsageMeter;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Supervisor that ends operations of the engine which run without a check of the limits, such as
 * the product of two huge integers. It also has the pipe read during long runs, so that the end of
 * the stream is noticed. It sleeps while nothing runs.
 */
final class Watchdog {

  /** The time between two checks. */
  private static final long PERIOD_NANOS = 50_000_000;

  /**
   * The time beyond a limit after which the process ends; the checks inside the engine are faster.
   */
  private static final long GRACE_MILLIS = 100;

  private final Runnable onLongRun;
  private final Consumer<FailureKind> kill;
  private final Thread thread = new Thread(this::watch, "watchdog");
  private volatile UsageMeter running;

  /** Whether the thread is parked, or about to be, until a run starts. */
  private volatile boolean asleep;

  /**
   * Starts the watchdog.
   *
   * @param onLongRun called repeatedly during runs that take longer than about a period
   * @param kill ends the process and reports the exceeded limit
   */
  Watchdog(Runnable onLongRun, Consumer<FailureKind> kill) {
    this.onLongRun = onLongRun;
    this.kill = kill;
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts the supervision of a run. */
  void started(UsageMeter meter) {
    running = meter;
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  /** Ends the supervision of a run. */
  void ended() {
    running = null;
  }

  private void watch() {
    while (!Thread.currentThread().isInterrupted()) {
      UsageMeter meter = running;
      if (meter == null) {
        sleep();
      } else {
        LockSupport.parkNanos(this, PERIOD_NANOS);
        if (running == meter) {
          onLongRun.run();
          check(meter);
        }
      }
    }
  }

  /**
   * Sleeps until a run starts. Sets {@code asleep} before it looks, so that it cannot miss a start.
   */
  private void sleep() {
    asleep = true;
    while (running == null && !Thread.currentThread().isInterrupted()) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  /** Ends the process if the run has exceeded a time limit and is still in progress. */
  private void check(UsageMeter meter) {
    Optional<FailureKind> exceededLimit = meter.exceededLimit(GRACE_MILLIS);
    if (exceededLimit.isPresent() && running == meter) {
      kill.accept(exceededLimit.get());
    }
  }
}
