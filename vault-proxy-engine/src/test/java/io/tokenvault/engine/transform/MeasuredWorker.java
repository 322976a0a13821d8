package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.isolation.WorkerProgram;
import io.tokenvault.engine.transform.pool.CallBudget;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.transform.pool.WorkerFailedException;
import io.tokenvault.engine.transform.pool.WorkerProcess;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.transform.pool.WorkerThreads;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Starts a worker as the server does, and measures its startup and invocations. */
final class MeasuredWorker implements AutoCloseable {

  static final ToWorker.Limits LIMITS =
      new ToWorker.Limits(5_000, 10_000, 500_000_000, 64L << 20, 10 << 20, 100);

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String KEY = "reference";

  private final WorkerProcess process;
  private final Process root;
  private final double startMillis;

  private MeasuredWorker(Process root, WorkerProcess process, double startMillis) {
    this.root = root;
    this.process = process;
    this.startMillis = startMillis;
  }

  static MeasuredWorker start(
      WorkerLauncher launcher, WorkerSettings settings, WorkerThreads threads)
      throws IOException, WorkerFailedException {
    long begin = System.nanoTime();
    Process root = launcher.start(settings);
    WorkerProcess process = new WorkerProcess(root, threads);
    process.begin(launcher.begin(), TIMEOUT);
    return new MeasuredWorker(root, process, millisSince(begin));
  }

  /** Returns the time from the start of the process to {@code Ready}. */
  double startMillis() {
    return startMillis;
  }

  FromWorker compile(String source) throws WorkerFailedException {
    return process.exchange(
        List.of(new ToWorker.Compile(source, false, TIMEOUT.toMillis())), CallBudget.NONE, TIMEOUT);
  }

  /** Loads a program and returns the duration of its first invocation. */
  double firstMicros(String program, byte[] body, String context) throws WorkerFailedException {
    ToWorker.Load load = new ToWorker.Load(KEY, 0, new Program(program));
    return micros(List.of(load, invocation(body, context)));
  }

  /** Returns the durations of invocations with a pause before each. */
  Durations invocations(int count, int pauseMicros, byte[] body, String context)
      throws WorkerFailedException {
    Durations durations = new Durations(count);
    for (int i = 0; i < count; i++) {
      LockSupport.parkNanos(pauseMicros * 1000L);
      durations.add(micros(List.of(invocation(body, context))));
    }
    return durations;
  }

  private static ToWorker.Invoke invocation(byte[] body, String context) {
    return new ToWorker.Invoke(KEY, LIMITS, BodyKind.JSON, body, context);
  }

  private double micros(List<ToWorker> messages) throws WorkerFailedException {
    long begin = System.nanoTime();
    FromWorker response = process.exchange(messages, CallBudget.NONE, TIMEOUT);
    double micros = (System.nanoTime() - begin) / 1e3;
    assertThat(((FromWorker.Finished) response).outcome())
        .isInstanceOf(FromWorker.Outcome.Returned.class);
    return micros;
  }

  static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e6;
  }

  /** Returns the resident memory including shared pages of the JVM; 0 if it is unknown. */
  long residentMib() throws IOException {
    Path status = Path.of("/proc", Long.toString(WorkerProgram.innermost(root).pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    process.close();
  }
}
