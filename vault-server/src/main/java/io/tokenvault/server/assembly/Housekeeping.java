package io.tokenvault.server.assembly;

import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import io.tokenvault.ports.usecase.audit.StreamLog;
import io.tokenvault.ports.usecase.audit.StreamLog.Progress;
import io.tokenvault.ports.usecase.authorization.ApplicationUseTracker;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.key.ReencryptFields;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import java.io.UncheckedIOException;
import java.time.Duration;
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
  private static final int THREADS = 11;
  private static final Duration SWEEP = Duration.ofSeconds(20);
  private static final Duration REENCRYPTION = Duration.ofSeconds(5);
  private static final Duration KEYSET = Duration.ofSeconds(2);
  private static final Duration ANNOUNCEMENT = Duration.ofSeconds(10);
  private static final Duration STREAM = Duration.ofSeconds(1);
  private static final Duration SEALS = Duration.ofSeconds(1);
  private static final Duration SHOW = Duration.ofSeconds(5);
  private static final Duration USES = Duration.ofMinutes(1);
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

  private final LeaderElection election;
  private Runnable atTheEnd = () -> {};

  Housekeeping(LeaderElection election) {
    this.election = election;
  }

  static Housekeeping start(
      LeaderElection election,
      DeleteExpired sweep,
      Supplier<ReencryptFields> reencryption,
      KeysetWatch keyset,
      Runnable ensurePartitions) {
    Housekeeping housekeeping = new Housekeeping(election);
    housekeeping.repeatForAll(LeaderTask.SWEEPING, "sweeping what has expired", sweep::run, SWEEP);
    housekeeping.repeatForAll(
        LeaderTask.REENCRYPTION,
        "re-encrypting under new keys",
        () -> housekeeping.reencrypt(reencryption.get()),
        REENCRYPTION);
    housekeeping.repeatForAll(
        LeaderTask.PARTITIONS, "making log partitions", ensurePartitions, PARTITIONS);
    housekeeping.repeat("looking at the master keyset file", keyset::poll, KEYSET);
    housekeeping.repeat("announcing the master keys", keyset::announce, ANNOUNCEMENT);
    housekeeping.repeat("showing that this node is there", election::show, SHOW);
    return housekeeping;
  }

  /** Seals the log; one of all nodes does. */
  void seal(Runnable sealing) {
    repeatForAll(LeaderTask.SEALING, "sealing the log", sealing, SEALS);
  }

  /** Writes down which applications were used on this node, and for the last time at the end. */
  void noteUses(ApplicationUseTracker uses) {
    String what = "noting which applications were used";
    repeat(what, uses::writeDown, USES);
    atTheEnd = guarded(what, uses::writeDown);
  }

  /** Says of requests that this node has announced that they still run. */
  void showRunning(IdempotentInvocations invocations) {
    repeat(
        "showing which requests still run", invocations::showRunning, IdempotentInvocations.SHOW);
  }

  /** Writes this node's checkpoints of the log. */
  void checkpoint(Runnable checkpoints, Duration period) {
    repeat("writing a checkpoint of the log", checkpoints, period);
  }

  /** Hands the log on; one of all nodes that were told to does. */
  void stream(StreamLog stream) {
    repeatForAll(LeaderTask.STREAMING, "streaming the log", () -> handOn(stream), STREAM);
  }

  private void handOn(StreamLog stream) {
    try {
      Progress progress = stream.run();
      if (progress.missing() > 0) {
        LOG.error("{} sealed entries of the log are gone: see audit verify", progress.missing());
      }
    } catch (UncheckedIOException refused) {
      election.resign(LeaderTask.STREAMING);
      LOG.error("Standard output does not take the log; another node may go on with it");
    }
  }

  private void reencrypt(ReencryptFields reencryption) {
    ReencryptFields.Progress progress;
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

  private void repeatForAll(LeaderTask duty, String what, Runnable work, Duration period) {
    repeat(what, () -> election.ifElected(duty, () -> doOrResign(duty, work)), period);
  }

  /** What fails here, for want of memory or files perhaps, may go well on another node. */
  private void doOrResign(LeaderTask duty, Runnable work) {
    try {
      work.run();
    } catch (Throwable failed) {
      election.resign(duty);
      throw failed;
    }
  }

  private void repeat(String what, Runnable work, Duration period) {
    var unused =
        executor.scheduleWithFixedDelay(
            guarded(what, work), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Runnable guarded(String what, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (Throwable failed) {
        // What is thrown on would end the repetition, and nobody would know.
        LOG.warn("Failed at {}, trying again later: {}", what, failed.getClass().getName());
      }
    };
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
    atTheEnd.run();
  }
}
