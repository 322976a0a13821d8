package io.tokenvault.server.assembly;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import io.tokenvault.ports.usecase.audit.ExportLog.Exported;
import io.tokenvault.ports.usecase.audit.StreamLog;
import io.tokenvault.ports.usecase.key.ReencryptFields;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the periodic work of the server.
 *
 * <p>Each kind of work runs with a fixed delay on a separate thread. A failure is logged, and the
 * work is retried after the next delay. Work that serves all nodes runs on the node that {@link
 * LeaderElection} selects for it.
 */
final class Housekeeping implements AutoCloseable {

  /** The election of a node that shares its stores with no other. */
  static final LeaderElection ALONE =
      new LeaderElection() {
        @Override
        public boolean ifElected(LeaderTask task, Runnable work) {
          work.run();
          return true;
        }

        @Override
        public void resign(LeaderTask task) {}

        @Override
        public void keepAlive() {}
      };

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  /**
   * Threads besides those of feeds: one for each kind of work, of this class and of others, so that
   * slow work delays no other.
   */
  private static final int THREADS = 11;

  private static final Duration SWEEP = Duration.ofSeconds(20);
  private static final Duration REENCRYPTION = Duration.ofSeconds(5);
  private static final Duration KEYSET = Duration.ofSeconds(2);
  private static final Duration ANNOUNCEMENT = Duration.ofSeconds(10);
  private static final Duration STREAM = Duration.ofSeconds(1);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);
  private static final Duration USES = Duration.ofMinutes(1);
  private static final Duration PARTITIONS = Duration.ofHours(12);
  private static final long STOP_SECONDS = 10;
  private static final String RETRIED = "Background task failed ({}) and will be retried: {}";
  private static final String LAST = "Background task failed at shutdown ({}): {}";

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "housekeeping");
            thread.setDaemon(true);
            return thread;
          });

  private final LeaderElection election;
  private final List<Runnable> shutdownTasks = new CopyOnWriteArrayList<>();

  Housekeeping(LeaderElection election) {
    this.election = election;
  }

  /**
   * Starts the work that every server does.
   *
   * @param sweep deletes expired resources
   * @param reencryption returns a fresh use case for each run
   * @param keyset is polled for a changed keyset file, and announces this node
   * @param ensurePartitions creates partitions of the audit log ahead of time
   */
  void start(
      DeleteExpired sweep,
      Supplier<ReencryptFields> reencryption,
      KeysetWatch keyset,
      Runnable ensurePartitions) {
    repeatForAll(LeaderTask.SWEEPING, "delete expired data", sweep::run, SWEEP);
    repeatForAll(
        LeaderTask.REENCRYPTION,
        "re-encrypt data under new keys",
        () -> reencrypt(reencryption.get()),
        REENCRYPTION);
    repeatForAll(LeaderTask.PARTITIONS, "create log partitions", ensurePartitions, PARTITIONS);
    repeat("check the master keyset file", keyset::poll, KEYSET);
    repeat("announce the loaded master keys", keyset::announce, ANNOUNCEMENT);
    repeat("announce this node", election::keepAlive, KEEP_ALIVE);
  }

  /** Records every minute which applications were used on this node, and once more on shutdown. */
  void storeUses(Runnable store) {
    String what = "record the last use of API keys";
    repeat(what, store, USES);
    runAtShutdown(what, store);
  }

  /** Registers work that runs once, after all other work has stopped. */
  void runAtShutdown(String what, Runnable work) {
    shutdownTasks.add(loggingFailures(what, work));
  }

  /** Wraps work at shutdown so that a failure is logged and delays nothing else. */
  static Runnable loggingFailures(String what, Runnable work) {
    return guarded(LAST, what, work);
  }

  /** Streams the audit log to standard output, on one elected node of those with this setting. */
  void stream(StreamLog stream) {
    repeatForAll(LeaderTask.STREAMING, "stream the log", () -> deliver(stream), STREAM);
  }

  /**
   * Sends the audit log to a host application's sink, on one elected node of those with this feed.
   *
   * @param name the name of the feed, which also names the task of the election
   */
  void feed(String name, StreamLog stream) {
    executor.setCorePoolSize(executor.getCorePoolSize() + 1);
    LeaderTask task = LeaderTask.feed(name);
    repeatForAll(
        task, "send the log to the feed " + name, () -> warnOfMissing(stream.run()), STREAM);
  }

  /** Streams the next entries. If standard output fails, another node takes the task over. */
  private void deliver(StreamLog stream) {
    try {
      warnOfMissing(stream.run());
    } catch (UncheckedIOException refused) {
      election.resign(LeaderTask.STREAMING);
      LOG.error("Cannot write the log to standard output; another node may continue");
    }
  }

  private static void warnOfMissing(Exported sent) {
    if (sent.missing() > 0) {
      LOG.error("{} entries of the hash chain are missing; run 'audit verify'", sent.missing());
    }
  }

  /** Re-encrypts batch after batch until no field is left or the server stops. */
  private void reencrypt(ReencryptFields reencryption) {
    ReencryptFields.Progress progress;
    do {
      progress = reencryption.run();
      if (progress.done() > 0) {
        LOG.info("Re-encrypted {} fields under the current keys", progress.done());
      }
      if (progress.failed() > 0) {
        LOG.error("Cannot decrypt {} fields under older keys", progress.failed());
      }
    } while (progress.done() > 0 && !executor.isShutdown());
  }

  /**
   * Schedules work that one elected node does for all.
   *
   * @param what describes the work in log messages
   */
  void repeatForAll(LeaderTask task, String what, Runnable work, Duration period) {
    repeat(what, () -> election.ifElected(task, () -> runOrResign(task, work)), period);
  }

  /**
   * Resigns from the task if it fails: another node may have the memory or the files that it needs.
   */
  private void runOrResign(LeaderTask task, Runnable work) {
    try {
      work.run();
    } catch (Throwable failed) {
      election.resign(task);
      throw failed;
    }
  }

  /**
   * Schedules work with a fixed delay, first after one period.
   *
   * @param what describes the work in log messages
   */
  void repeat(String what, Runnable work, Duration period) {
    var unused =
        executor.scheduleWithFixedDelay(
            guarded(RETRIED, what, work),
            period.toMillis(),
            period.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /**
   * Wraps work so that a failure is logged and does not end its schedule.
   *
   * @param message a log message with places for the work and the failure
   */
  private static Runnable guarded(String message, String what, Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (Throwable failed) {
        // An exception that leaves the task would end its schedule without any message.
        LOG.warn(message, what, RefusedException.describe(failed));
      }
    };
  }

  /** Stops all work, waits up to ten seconds for it, and runs the tasks of the shutdown. */
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
    shutdownTasks.forEach(Runnable::run);
  }
}
