package io.tokenvault.server.assembly;

import io.tokenvault.ports.spi.Duty;
import io.tokenvault.ports.spi.Election;
import io.tokenvault.ports.usecase.ReencryptFields;
import io.tokenvault.ports.usecase.ReencryptFields.Progress;
import io.tokenvault.ports.usecase.SweepExpired;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that the server does by itself, again and again. A failure is logged and tried again. What
 * serves all nodes is done by the one that is elected for it.
 */
final class Housekeeping implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  // One for each kind of work, so that none waits for another.
  private static final int THREADS = 6;
  private static final Duration SWEEP = Duration.ofSeconds(20);
  private static final Duration REENCRYPTION = Duration.ofSeconds(5);
  private static final Duration KEYSET = Duration.ofSeconds(2);
  private static final Duration ANNOUNCEMENT = Duration.ofSeconds(10);
  private static final Duration SHOW = Duration.ofSeconds(5);
  private static final Duration PARTITIONS = Duration.ofHours(12);
  private static final long STOP_SECONDS = 10;

  private final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "housekeeping");
            thread.setDaemon(true);
            return thread;
          });

  private final Election election;

  private Housekeeping(Election election) {
    this.election = election;
  }

  static Housekeeping start(
      Election election,
      SweepExpired sweep,
      Supplier<List<ReencryptFields>> reencryption,
      KeysetWatch keyset,
      Runnable ensurePartitions) {
    Housekeeping housekeeping = new Housekeeping(election);
    housekeeping.repeatForAll(Duty.SWEEPING, "sweeping what has expired", sweep::run, SWEEP);
    housekeeping.repeatForAll(
        Duty.REENCRYPTION,
        "re-encrypting under new keys",
        () -> reencryption.get().forEach(housekeeping::reencrypt),
        REENCRYPTION);
    housekeeping.repeatForAll(
        Duty.PARTITIONS, "making log partitions", ensurePartitions, PARTITIONS);
    housekeeping.repeat("looking at the master keyset file", keyset::poll, KEYSET);
    housekeeping.repeat("announcing the master keys", keyset::announce, ANNOUNCEMENT);
    housekeeping.repeat("showing that this node is there", election::show, SHOW);
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

  private void repeatForAll(Duty duty, String what, Runnable work, Duration period) {
    repeat(what, () -> election.ifElected(duty, work), period);
  }

  private void repeat(String what, Runnable work, Duration period) {
    Runnable guarded =
        () -> {
          try {
            work.run();
          } catch (RuntimeException failed) {
            LOG.warn("Failed at {}, trying again later: {}", what, failed.getClass().getName());
          }
        };
    var unused =
        executor.scheduleWithFixedDelay(
            guarded, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
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
