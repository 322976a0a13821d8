package io.tokenvault.engine.worker.realm;

import com.sun.management.ThreadMXBean;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.ToWorker.Limits;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Meter of the resources that one invocation uses, measured on the thread that created it.
 *
 * <p>Once a limit is exceeded, every further check fails, so that no code that runs afterwards can
 * continue.
 */
public final class UsageMeter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Limits limits;
  private final long thread = Thread.currentThread().getId();
  private final long startNanos = System.nanoTime();
  private final long startCpuNanos = THREADS.getCurrentThreadCpuTime();
  private final long startBytes = THREADS.getCurrentThreadAllocatedBytes();
  private long instructions;

  /** The limit that was exceeded first; null if none was. */
  private FailureKind exceeded;

  /** Starts to measure. */
  public UsageMeter(Limits limits) {
    this.limits = limits;
  }

  public Limits limits() {
    return limits;
  }

  /**
   * Counts instructions and checks all limits.
   *
   * @throws LimitExceeded if a limit is exceeded
   */
  void count(long more) {
    instructions += more;
    check();
  }

  /**
   * Checks all limits.
   *
   * @throws LimitExceeded if a limit is exceeded, now or before
   */
  public void check() {
    if (exceeded == null) {
      exceeded = exceeded();
    }
    if (exceeded != null) {
      throw new LimitExceeded(exceeded);
    }
  }

  /** Returns the limit that is exceeded; null if none is. */
  private FailureKind exceeded() {
    if (instructions > limits.instructions()) {
      return FailureKind.INSTRUCTIONS;
    }
    if (THREADS.getCurrentThreadAllocatedBytes() - startBytes > limits.allocatedBytes()) {
      return FailureKind.ALLOCATION;
    }
    return exceededLimit(THREADS.getCurrentThreadCpuTime(), 0).orElse(null);
  }

  /**
   * Returns the time limit that is exceeded by more than a grace period; empty if none is. May be
   * called by any thread.
   */
  public Optional<FailureKind> exceededLimit(long graceMillis) {
    return exceededLimit(THREADS.getThreadCpuTime(thread), graceMillis);
  }

  private Optional<FailureKind> exceededLimit(long cpuNanos, long graceMillis) {
    long grace = TimeUnit.MILLISECONDS.toNanos(graceMillis);
    if (cpuNanos - startCpuNanos - grace > TimeUnit.MILLISECONDS.toNanos(limits.cpuMillis())) {
      return Optional.of(FailureKind.CPU_TIME);
    }
    return wallNanosLeft() + grace < 0 ? Optional.of(FailureKind.WALL_TIME) : Optional.empty();
  }

  /**
   * Returns the time until the limit on elapsed time, in nanoseconds; negative if it is exceeded.
   */
  public long wallNanosLeft() {
    return TimeUnit.MILLISECONDS.toNanos(limits.wallMillis()) - (System.nanoTime() - startNanos);
  }

  /**
   * Ends an invocation that has exceeded a limit.
   *
   * <p>It is an {@link Error}, since Rhino runs neither {@code catch} nor {@code finally} blocks of
   * scripts for one.
   */
  public static final class LimitExceeded extends Error {

    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    /** Creates the error, without a stack trace. */
    public LimitExceeded(FailureKind kind) {
      super(kind.name(), null, false, false);
      this.kind = kind;
    }

    public FailureKind kind() {
      return kind;
    }
  }
}
