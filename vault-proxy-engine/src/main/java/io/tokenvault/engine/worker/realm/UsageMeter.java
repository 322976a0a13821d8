package io.tokenvault.engine.worker.realm;

import com.sun.management.ThreadMXBean;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.ToWorker.Limits;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What one invocation uses, measured on the thread that made the meter. Once a limit is passed,
 * every further check fails: nothing that runs afterwards gets another share.
 */
public final class UsageMeter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Limits limits;
  private final long thread = Thread.currentThread().getId();
  private final long startNanos = System.nanoTime();
  private final long startCpuNanos = THREADS.getCurrentThreadCpuTime();
  private final long startBytes = THREADS.getCurrentThreadAllocatedBytes();
  private long instructions;
  private Failing exceeded;

  public UsageMeter(Limits limits) {
    this.limits = limits;
  }

  public Limits limits() {
    return limits;
  }

  void count(long more) {
    instructions += more;
    check();
  }

  public void check() {
    if (exceeded == null) {
      exceeded = exceeded();
    }
    if (exceeded != null) {
      throw new LimitExceeded(exceeded);
    }
  }

  private Failing exceeded() {
    if (instructions > limits.instructions()) {
      return Failing.INSTRUCTIONS;
    }
    if (THREADS.getCurrentThreadAllocatedBytes() - startBytes > limits.allocatedBytes()) {
      return Failing.ALLOCATION;
    }
    return overtime(THREADS.getCurrentThreadCpuTime(), 0).orElse(null);
  }

  /** For another thread: which limit of time was passed by more than some grace. */
  public Optional<Failing> overtime(long graceMillis) {
    return overtime(THREADS.getThreadCpuTime(thread), graceMillis);
  }

  private Optional<Failing> overtime(long cpuNanos, long graceMillis) {
    long grace = TimeUnit.MILLISECONDS.toNanos(graceMillis);
    if (cpuNanos - startCpuNanos - grace > TimeUnit.MILLISECONDS.toNanos(limits.cpuMillis())) {
      return Optional.of(Failing.CPU_TIME);
    }
    return wallNanosLeft() + grace < 0 ? Optional.of(Failing.WALL_TIME) : Optional.empty();
  }

  public long wallNanosLeft() {
    return TimeUnit.MILLISECONDS.toNanos(limits.wallMillis()) - (System.nanoTime() - startNanos);
  }
}
