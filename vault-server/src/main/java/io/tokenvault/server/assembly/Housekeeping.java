package io.tokenvault.server.assembly;

import io.tokenvault.ports.usecase.ReencryptFields;
import io.tokenvault.ports.usecase.ReencryptFields.Progress;
import io.tokenvault.ports.usecase.SweepExpired;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that the server does by itself, again and again. A failure is logged and tried again. */
final class Housekeeping implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final int THREADS = 3;
  private static final long SWEEP_SECONDS = 20;
  private static final long REENCRYPTION_SECONDS = 5;
  private static final long KEYSET_SECONDS = 2;
  private static final long ANNOUNCEMENT_SECONDS = 10;
  private static final long PARTITION_HOURS = 12;
  private static final long STOP_SECONDS = 10;

  private final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "housekeeping");
            thread.setDaemon(true);
            return thread;
          });

  private Housekeeping() {}

  /** Long work and short work do not wait for each other. */
  static Housekeeping start(
      SweepExpired sweep,
      Supplier<List<ReencryptFields>> reencryption,
      KeysetWatch keyset,
      Runnable ensurePartitions) {
    Housekeeping housekeeping = new Housekeeping();
    housekeeping.repeat("sweeping what has expired", sweep::run, SWEEP_SECONDS, TimeUnit.SECONDS);
    housekeeping.repeat(
        "re-encrypting under new keys",
        () -> reencryption.get().forEach(housekeeping::reencrypt),
        REENCRYPTION_SECONDS,
        TimeUnit.SECONDS);
    housekeeping.repeat(
        "looking at the master keyset file", keyset::poll, KEYSET_SECONDS, TimeUnit.SECONDS);
    housekeeping.repeat(
        "announcing the master keys", keyset::announce, ANNOUNCEMENT_SECONDS, TimeUnit.SECONDS);
    housekeeping.repeat("making log partitions", ensurePartitions, PARTITION_HOURS, TimeUnit.HOURS);
    return housekeeping;
  }

  private void reencrypt(ReencryptFields reencryption) {
    Progress progress;
    do {
      progress = reencryption.run();
      if (progress.done() > 0) {
        LOG.info("Re-encrypted {} fields under the current keys", progress.done());
      }
      if (progress.failed() > 0) {
        LOG.error("{} fields under older keys do not open", progress.failed());
      }
    } while (progress.done() > 0 && !executor.isShutdown());
  }

  private void repeat(String what, Runnable work, long period, TimeUnit unit) {
    Runnable guarded =
        () -> {
          try {
            work.run();
          } catch (RuntimeException failed) {
            LOG.warn("Failed at {}, trying again later: {}", what, failed.getClass().getName());
          }
        };
    var unused = executor.scheduleWithFixedDelay(guarded, period, period, unit);
  }

  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
