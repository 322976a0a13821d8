package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.worker.realm.UsageMeter;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Ends what no check inside the engine can end: one long operation of the engine's own, such as a
 * product of huge integers. It sleeps while nothing runs.
 */
final class Watchdog {

  private static final long PERIOD_NANOS = 50_000_000;
  private static final long GRACE_MILLIS = 100;

  private final Consumer<Failing> kill;
  private final Thread thread = new Thread(this::watch, "watchdog");
  private volatile UsageMeter running;
  private volatile boolean asleep;

  /**
   * @param kill ends the process
   */
  Watchdog(Consumer<Failing> kill) {
    this.kill = kill;
    thread.setDaemon(true);
    thread.start();
  }

  void started(UsageMeter meter) {
    running = meter;
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

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
        check(meter);
      }
    }
  }

  /** It says that it sleeps before it looks, so that it cannot miss a start. */
  private void sleep() {
    asleep = true;
    while (running == null && !Thread.currentThread().isInterrupted()) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  private void check(UsageMeter meter) {
    Optional<Failing> overtime = meter.overtime(GRACE_MILLIS);
    if (overtime.isPresent() && running == meter) {
      kill.accept(overtime.get());
    }
  }
}
